import { z } from "zod";
import { instantSchema } from "./instant-schema.ts";
import { jsonObjectSchema } from "./json-value-schema.ts";
import { ARCHIVE_REASONS, MEMORY_KINDS, MEMORY_STATUSES } from "./memory.ts";

/** One link of a memory's chain of custody: which agent or file stated it, under which id there, when. */
const provenanceSchema = z.object({
  agent: z.string(),
  factId: z.string().exactOptional(),
  at: instantSchema,
});

export const memorySchema = z.object({
  id: z.string().min(1).max(512),
  /** Hard partition: nothing ever crosses it. */
  namespace: z.string().min(1).max(128),
  kind: z.enum(MEMORY_KINDS),
  content: z.string(),
  tags: z.array(z.string()).readonly(),
  entities: z.array(z.string()).readonly(),
  source: z.string().exactOptional(),
  context: z.string().exactOptional(),
  /** Unknown fields of an import, so that they survive a round trip. */
  extra: jsonObjectSchema,
  createdAt: instantSchema,
  /** Uses and last use as imported; later uses are events, see `Use`. */
  baseUseCount: z.int().min(0),
  baseLastUsedAt: instantSchema.exactOptional(),
  reviewCount: z.int().min(0),
  lastReviewedAt: instantSchema.exactOptional(),
  /** 0 to 2, 1 is neutral. */
  strength: z.number().min(0).max(2),
  /** 0 to 1, how much its source is believed. */
  confidence: z.number().min(0).max(1).exactOptional(),
  pinned: z.boolean(),
  disputed: z.boolean(),
  status: z.enum(MEMORY_STATUSES),
  archivedAt: instantSchema.exactOptional(),
  archivedReason: z.enum(ARCHIVE_REASONS).exactOptional(),
  supersededBy: z.string().exactOptional(),
  validFrom: instantSchema.exactOptional(),
  validTo: instantSchema.exactOptional(),
  expiresAt: instantSchema.exactOptional(),
  promotedAt: instantSchema.exactOptional(),
  /** Decay score when it was promoted, and the criteria met, as its note tells them. */
  promotedScore: z.number().min(0).exactOptional(),
  promotedWhy: z.string().exactOptional(),
  /** Path of its note inside the vault, `/` between folders. */
  vaultPath: z.string().exactOptional(),
  /** Folder that the layout gave its note. Where the note is in another one, a person put it there. */
  vaultFolder: z.string().exactOptional(),
  /** Ids of the original memories that a merge was made of, sorted; empty for an original. */
  leaves: z.array(z.string()).readonly(),
  /** Hash of the content as the merge wrote it; with other content, a person has rewritten it since. */
  mergedHash: z.string().exactOptional(),
  provenance: z.array(provenanceSchema).readonly(),
  /** Hash of the imported form, so that importing the same file again is recognised whatever happened to the memory since. */
  importHash: z.string().exactOptional(),
  /** Counts the puts of this record, from 1. */
  revision: z.int().min(1),
});
