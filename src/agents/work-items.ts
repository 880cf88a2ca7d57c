import { type Memory, memoryKey } from "../model/memory.ts";

/**
 * Names memories as items of work: by id, or by namespace and id where two of them share an id.
 * Keeps the order.
 */
export function nameItems<T extends { readonly memory: Memory }>(
  work: readonly T[],
): ReadonlyMap<string, T> {
  const counts = new Map<string, number>();
  for (const { memory } of work) counts.set(memory.id, (counts.get(memory.id) ?? 0) + 1);
  const named = new Map<string, T>();
  for (const one of work) {
    const isUnique = counts.get(one.memory.id) === 1;
    named.set(isUnique ? one.memory.id : memoryKey(one.memory), one);
  }
  return named;
}

/** By UTF-16 code units: the same order on every machine and locale. */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
