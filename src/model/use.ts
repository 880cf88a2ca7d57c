import type { z } from "zod";
import { type Instant, isInstant } from "./instant.ts";
import { fieldsOf } from "./json.ts";
import type { useSchema } from "./use-schema.ts";

export const USE_KINDS = ["recall", "touch", "review"] as const;

export type Use = Readonly<z.infer<typeof useSchema>>;

/** As the schema judges it (a test holds them together), which takes a tenth of a recall's time to load. */
export function isUse(value: unknown): boolean {
  const { id, namespace, memoryId, kind, at } = fieldsOf(value);
  return (
    [id, namespace, memoryId].every((text) => typeof text === "string" && text !== "") &&
    USE_KINDS.some((known) => known === kind) &&
    isInstant(at)
  );
}

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
