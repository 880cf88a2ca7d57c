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
  return new Map(
    work.map((one) => {
      const isUnique = counts.get(one.memory.id) === 1;
      return [isUnique ? one.memory.id : memoryKey(one.memory), one];
    }),
  );
}

/** By UTF-16 code units: the same order on every machine and locale. */
export function compareIds(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
