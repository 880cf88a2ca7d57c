import { hashOf } from "../model/hash.ts";
import type { Memory } from "../model/memory.ts";
import type { Use } from "../model/use.ts";
import type { ActionParts } from "./change-memory.ts";

export interface UseToRecord {
  readonly memory: Memory;
  readonly kind: Use["kind"];
  /** What used it (a query, an action): part of the event's id. */
  readonly cause: string;
}

/** The event's id follows from memory, instant and cause: the same call repeated at the same instant is one use. */
export function useOf({ memory, kind, cause }: UseToRecord, at: number): Use {
  const { namespace, id: memoryId } = memory;
  const id = `use-${hashOf([namespace, memoryId, kind, at, cause], 24)}`;
  return { id, namespace, memoryId, kind, at };
}

export async function recordUse(parts: ActionParts, use: UseToRecord): Promise<void> {
  await parts.store.recordUses([useOf(use, parts.clock.now())]);
}
