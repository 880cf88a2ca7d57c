import type { Instant } from "../model/instant.ts";
import { type Memory, memoryKey } from "../model/memory.ts";
import type { Usage, Use } from "../model/use.ts";

/** Uses by memory, up to one instant: an event of the future (a clock once set wrong) does not count yet. */
export interface UsageIndex {
  /** Folds the memory's own uses with those of its merged leaves. */
  of(memory: Memory, leafOf: (id: string) => Memory | undefined): Usage;
  hasSignal(namespace: string, memories: readonly Memory[]): boolean;
}

export function createUsageIndex(uses: readonly Use[], now: Instant): UsageIndex {
  const timesByMemory = new Map<string, Instant[]>();
  const namespacesWithEvents = new Set<string>();
  for (const use of uses) {
    if (use.at > now) continue;
    const key = memoryKey({ namespace: use.namespace, id: use.memoryId });
    const times = timesByMemory.get(key);
    if (times) times.push(use.at);
    else timesByMemory.set(key, [use.at]);
    namespacesWithEvents.add(use.namespace);
  }
  // A view hands out the same list until something changes, and agents ask for every memory of it.
  const usedBefore = new WeakMap<readonly Memory[], boolean>();
  const anyUsedBefore = (memories: readonly Memory[]): boolean => {
    const known = usedBefore.get(memories) ?? memories.some(wasUsedBefore);
    usedBefore.set(memories, known);
    return known;
  };
  return {
    of: (memory, leafOf) => {
      const leaves = memory.leaves.flatMap((id) => leafOf(id) ?? []);
      return foldUsage(
        [memory, ...leaves.filter((leaf) => leaf.id !== memory.id)],
        timesByMemory,
        now,
      );
    },
    hasSignal: (namespace, memories) =>
      namespacesWithEvents.has(namespace) || anyUsedBefore(memories),
  };
}

function foldUsage(
  members: readonly Memory[],
  timesByMemory: ReadonlyMap<string, readonly Instant[]>,
  now: Instant,
): Usage {
  const eventTimes = members.flatMap((member) => timesByMemory.get(memoryKey(member)) ?? []);
  eventTimes.sort((a, b) => a - b);
  const baseUseCount = members.reduce((sum, member) => sum + member.baseUseCount, 0);
  const lastUses = members.flatMap((member) => member.baseLastUsedAt ?? []);
  const last = Math.max(eventTimes.at(-1) ?? -Infinity, ...lastUses);
  const usage = { useCount: baseUseCount + eventTimes.length, eventTimes, baseUseCount };
  return last === -Infinity ? usage : { ...usage, lastUsedAt: Math.min(last, now) };
}

/** Imports set "last used" to the creation time of a memory that never was used: only a later one says something. */
function wasUsedBefore(memory: Memory): boolean {
  return memory.baseUseCount > 0 || (memory.baseLastUsedAt ?? memory.createdAt) > memory.createdAt;
}
