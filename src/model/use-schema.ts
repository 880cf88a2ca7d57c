import { z } from "zod";
import { instantSchema } from "./instant-schema.ts";
import { USE_KINDS } from "./use.ts";

/**
 * One use of a memory: an append-only event in a table of its own. Recording one never changes a record or a revision.
 */
export const useSchema = z.object({
  /** Unique; derived by the caller, so that recording the same event twice keeps one. */
  id: z.string().min(1),
  namespace: z.string().min(1),
  memoryId: z.string().min(1),
  kind: z.enum(USE_KINDS),
  at: instantSchema,
});
