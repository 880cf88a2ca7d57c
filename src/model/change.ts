import { z } from "zod";
import type { Issue } from "./issue.ts";
import { issueSchema } from "./issue-schema.ts";
import type { Memory } from "./memory.ts";
import { memorySchema } from "./memory-schema.ts";
import { type Relation, relationSchema } from "./relation.ts";

/** The whole text of a note as it stands, or is to stand, on disk. */
export interface NoteImage {
  readonly text: string;
}

/**
 * One step of a changeset, with its full before- and after-image: enough to check it, to apply it, and to reverse it.
 * `before: null` creates. `after: null` never reaches a store: undoing a creation writes the record as undone.
 */
export type Change =
  | { readonly kind: "memory.put"; readonly before: Memory | null; readonly after: Memory | null }
  | {
      readonly kind: "relation.put";
      readonly before: Relation | null;
      readonly after: Relation | null;
    }
  | { readonly kind: "issue.put"; readonly before: Issue | null; readonly after: Issue | null }
  | {
      readonly kind: "note.put";
      readonly path: string;
      readonly before: NoteImage | null;
      readonly after: NoteImage | null;
    }
  | { readonly kind: "note.move"; readonly from: string; readonly to: string };

const noteImageSchema = z.object({ text: z.string() }).nullable();

export const changeSchema: z.ZodType<Change> = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("memory.put"),
    before: memorySchema.nullable(),
    after: memorySchema.nullable(),
  }),
  z.object({
    kind: z.literal("relation.put"),
    before: relationSchema.nullable(),
    after: relationSchema.nullable(),
  }),
  z.object({
    kind: z.literal("issue.put"),
    before: issueSchema.nullable(),
    after: issueSchema.nullable(),
  }),
  z.object({
    kind: z.literal("note.put"),
    path: z.string(),
    before: noteImageSchema,
    after: noteImageSchema,
  }),
  z.object({ kind: z.literal("note.move"), from: z.string(), to: z.string() }),
]);
