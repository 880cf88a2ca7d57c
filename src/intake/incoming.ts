import { z } from "zod";
import { parseInstant } from "../model/instant.ts";
import type { JsonObject } from "../model/json.ts";
import { memorySchema } from "../model/memory-schema.ts";
import { relationSchema } from "../model/relation.ts";

/** A longer text is a document, not a memory: it would be embedded, compared and shown whole. */
export const MAX_CONTENT_CHARACTERS = 1_000_000;

/** A time in any form `parseInstant` reads. */
const timeSchema = z.unknown().transform((value, context) => {
  try {
    // zod asks for an absent field too, and making an error for each costs more than reading the line.
    if (value !== undefined) return parseInstant(value, "it");
  } catch {
    // Only the value is at fault, and the issue below names it.
  }
  context.addIssue({ code: "custom", message: `expected a time, got ${JSON.stringify(value)}` });
  return z.NEVER;
});

const provenanceSchema = z.object({
  agent: z.string(),
  factId: z.string().exactOptional(),
  at: timeSchema,
});

const contentSchema = z
  .string()
  .refine((text) => text.trim() !== "", "expected a text, got only white space")
  .refine(
    (text) => text.length <= MAX_CONTENT_CHARACTERS,
    `expected at most ${MAX_CONTENT_CHARACTERS.toLocaleString("en")} characters`,
  );

const { shape } = memorySchema;

/** What a file may say about a memory, by the model's names. The limits are the model's own. */
export const incomingFieldsSchema = z.object({
  content: contentSchema,
  id: shape.id.exactOptional(),
  namespace: shape.namespace.exactOptional(),
  kind: shape.kind.exactOptional(),
  tags: shape.tags.exactOptional(),
  entities: shape.entities.exactOptional(),
  source: shape.source,
  context: shape.context,
  createdAt: timeSchema.exactOptional(),
  useCount: shape.baseUseCount.exactOptional(),
  lastUsedAt: timeSchema.exactOptional(),
  reviewCount: shape.reviewCount.exactOptional(),
  lastReviewedAt: timeSchema.exactOptional(),
  strength: shape.strength.exactOptional(),
  confidence: shape.confidence,
  pinned: shape.pinned.exactOptional(),
  disputed: shape.disputed.exactOptional(),
  status: shape.status.exactOptional(),
  archivedAt: timeSchema.exactOptional(),
  archivedReason: shape.archivedReason,
  supersededBy: shape.supersededBy,
  validFrom: timeSchema.exactOptional(),
  validTo: timeSchema.exactOptional(),
  expiresAt: timeSchema.exactOptional(),
  promotedAt: timeSchema.exactOptional(),
  vaultPath: shape.vaultPath,
  leaves: shape.leaves.exactOptional(),
  provenance: z.array(provenanceSchema).readonly().exactOptional(),
  /** Of an export: hash of the content as it left the store, which tells an edited line from an untouched one. */
  contentHash: z.string().exactOptional(),
});
type IncomingFields = Readonly<z.infer<typeof incomingFieldsSchema>>;

/** A memory as a file states it: what is absent was not stated. */
export interface IncomingMemory extends Omit<IncomingFields, "id"> {
  readonly id: string;
  /** Everything else that the file holds about it. */
  readonly extra: JsonObject;
  /** Names that belong to it besides those found in its text. */
  readonly alsoEntities?: readonly string[];
  /** For a source that states no time: known from elsewhere (a file's modification time), and no part of what is compared. */
  readonly fallbackCreatedAt?: number;
  /** `extra` as it is to be kept, where that is more than what is compared: a place in a file shifts with every new neighbour. */
  readonly storedExtra?: JsonObject;
}

const link = relationSchema.shape;

export const incomingRelationSchema = z.object({
  id: link.id.exactOptional(),
  namespace: link.namespace.exactOptional(),
  from: link.from,
  to: link.to,
  type: link.type,
  strength: link.strength.exactOptional(),
  reason: link.reason,
  metadata: link.metadata.exactOptional(),
  createdAt: timeSchema.exactOptional(),
});
export type IncomingRelation = Readonly<z.infer<typeof incomingRelationSchema>>;

/** Where an item was found, and its text as it stood there. */
export interface Origin {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  raw(): string;
}

/** What readers yield, in the order of the file. */
export type IntakeItem =
  | { readonly kind: "memory"; readonly origin: Origin; readonly memory: IncomingMemory }
  | {
      readonly kind: "tombstone";
      readonly origin: Origin;
      readonly of: "memory" | "relation";
      readonly id: string;
      readonly namespace?: string;
    }
  | { readonly kind: "relation"; readonly origin: Origin; readonly relation: IncomingRelation }
  /** A relation that joins nothing. */
  | { readonly kind: "dropped"; readonly origin: Origin; readonly reason: string }
  | { readonly kind: "bad"; readonly origin: Origin; readonly reason: string };

/** One format's way of reading. */
export interface IntakeReader {
  /** True for a log, in which a later record of an id replaces the earlier one. */
  readonly isLog: boolean;
  read(source: IntakeSource): AsyncIterable<IntakeItem>;
}

/** A file or folder that can be read more than once. */
export interface IntakeSource {
  /** As a person knows it: the path they gave, or "standard input". */
  readonly name: string;
  readonly path: string;
  readonly isFolder: boolean;
}
