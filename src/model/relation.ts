import { z } from "zod";
import { hashOf } from "./hash.ts";
import { instantSchema } from "./instant-schema.ts";
import { jsonObjectSchema } from "./json-value-schema.ts";

/** The types that the agents write; imports may bring others, which are kept. */
export const RELATION_TYPES = {
  related: "related",
  consolidatedFrom: "consolidated_from",
  supersedes: "supersedes",
  contradicts: "contradicts",
  /** `from` says what the note of `to` says already, and is a line of that note. */
  restates: "restates",
} as const;

export const relationSchema = z.object({
  id: z.string().min(1).max(512),
  namespace: z.string().min(1).max(128),
  from: z.string().min(1),
  to: z.string().min(1),
  type: z.string().min(1),
  /** 0 to 1. */
  strength: z.number().min(0).max(1),
  reason: z.string().exactOptional(),
  metadata: jsonObjectSchema,
  createdAt: instantSchema,
  /** Created by a run that was undone: kept, and invisible to every reader. */
  undone: z.literal(true).exactOptional(),
  revision: z.int().min(1),
});
export type Relation = Readonly<z.infer<typeof relationSchema>>;

/** One relation a (from, to, type): its id follows from them, so the same link found twice is the same record. */
export function relationId(link: {
  readonly namespace: string;
  readonly from: string;
  readonly to: string;
  readonly type: string;
}): string {
  return `rel-${hashOf([link.namespace, link.from, link.to, link.type], 24)}`;
}
