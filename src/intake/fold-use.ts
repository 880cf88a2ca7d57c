import type { Instant } from "../model/instant.ts";
import { type Memory, memoryKey } from "../model/memory.ts";
import type { Use } from "../model/use.ts";
import type { FoldedUse } from "./record-form.ts";

/** Uses by memory key, up to an instant. */
export type UsesByMemory = ReadonlyMap<string, readonly Instant[]>;

export function groupUses(uses: readonly Use[], now: Instant): UsesByMemory {
  const groups = new Map<string, Instant[]>();
  for (const { namespace, memoryId, at } of uses) {
    if (at > now) continue;
    const key = memoryKey({ namespace, id: memoryId });
    const times = groups.get(key);
    if (times) times.push(at);
    else groups.set(key, [at]);
  }
  return groups;
}

/** Imported counters of these memories with their events folded in. */
export function foldUse(members: readonly Memory[], uses: UsesByMemory): FoldedUse {
  let useCount = 0;
  let lastUsedAt: Instant | undefined;
  for (const member of members) {
    const times = uses.get(memoryKey(member)) ?? [];
    useCount += member.baseUseCount + times.length;
    for (const time of member.baseLastUsedAt === undefined
      ? times
      : [...times, member.baseLastUsedAt]) {
      lastUsedAt = Math.max(lastUsedAt ?? time, time);
    }
  }
  return lastUsedAt === undefined ? { useCount } : { useCount, lastUsedAt };
}
