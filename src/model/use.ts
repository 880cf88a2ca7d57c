import { z } from "zod";
import { type Instant, instantSchema } from "./instant.ts";

export const USE_KINDS = ["recall", "touch", "review"] as const;

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
export type Use = Readonly<z.infer<typeof useSchema>>;

/** How much a memory was used: its imported base folded with the events of it and of its merged leaves. */
export interface Usage {
  /** Base count + events up to the view's clock. */
  readonly useCount: number;
  /** The last event or imported last use, if any. Never after the view's clock. */
  readonly lastUsedAt?: Instant;
  /** Instants of the dated events, ascending, of the memory and its leaves. */
  readonly eventTimes: readonly Instant[];
  /** Undated uses that came with an import (memory and leaves). */
  readonly baseUseCount: number;
}
