import { z } from "zod";

const count = z.int().min(0);

const storeMeasureSchema = z.object({
  /** Active and promoted ones. */
  memories: count,
  archived: count,
  /** Of the texts of live memories, UTF-8. */
  bytes: count,
  /** Memories that have a note. */
  notes: count,
  /** Live memories by decay score: below the first edge, from each edge up to the next, and from the last. */
  scores: z.array(count).readonly(),
});
export type StoreMeasure = Readonly<z.infer<typeof storeMeasureSchema>>;

export const runMeasuresSchema = z.object({
  edges: z.array(z.number()).readonly(),
  before: storeMeasureSchema,
  after: storeMeasureSchema,
  /** What the text of notes grew or shrank by, UTF-8. */
  noteBytes: z.int(),
});
export type RunMeasures = Readonly<z.infer<typeof runMeasuresSchema>>;
