import type { Instant } from "../model/instant.ts";
import type { Memory } from "../model/memory.ts";
import type { Usage, Use } from "../model/use.ts";

/** Uses by memory, up to one instant: an event of the future (a clock once set wrong) does not count yet. */
export interface UsageIndex {
  /** Folds the memory's own uses with those of its merged leaves. */
  of(memory: Memory, leafOf: (id: string) => Memory | undefined): Usage;
  hasSignal(namespace: string, memories: readonly Memory[]): boolean;
}

export function createUsageIndex(uses: readonly Use[], now: Instant): UsageIndex {
  const timesByNamespace = new Map<string, Map<string, Instant[]>>();
  for (const { at, namespace, memoryId } of uses) {
    if (at > now) continue;
    const times = timesByNamespace.get(namespace) ?? new Map<string, Instant[]>();
    timesByNamespace.set(namespace, times);
    const known = times.get(memoryId);
    if (known) known.push(at);
    else times.set(memoryId, [at]);
  }
  const timesOf: TimesOf = ({ namespace, id }) => timesByNamespace.get(namespace)?.get(id) ?? NONE;
  // A view hands out the same list until something changes, and agents ask for every memory of it.
  const usedBefore = new WeakMap<readonly Memory[], boolean>();
  const anyUsedBefore = (memories: readonly Memory[]): boolean => {
    const known = usedBefore.get(memories) ?? memories.some(wasUsedBefore);
    usedBefore.set(memories, known);
    return known;
  };
  return {
    of: (memory, leafOf) => {
      if (memory.leaves.length === 0) return ownUsage(memory, timesOf(memory), now);
      const leaves = memory.leaves.flatMap((id) => leafOf(id) ?? []);
      const others = leaves.filter((leaf) => leaf.id !== memory.id);
      return others.length === 0
        ? ownUsage(memory, timesOf(memory), now)
        : foldUsage([memory, ...others], timesOf, now);
    },
    hasSignal: (namespace, memories) => timesByNamespace.has(namespace) || anyUsedBefore(memories),
  };
}

type TimesOf = (memory: Memory) => readonly Instant[];
const NONE: readonly Instant[] = [];

/** Of a memory that is no merge, as nearly all are. Uses come in order of time. */
function ownUsage(memory: Memory, eventTimes: readonly Instant[], now: Instant): Usage {
  const { baseUseCount, baseLastUsedAt } = memory;
  const useCount = baseUseCount + eventTimes.length;
  const last = Math.max(eventTimes.at(-1) ?? -Infinity, baseLastUsedAt ?? -Infinity);
  if (last === -Infinity) return { useCount, eventTimes, baseUseCount };
  return { useCount, eventTimes, baseUseCount, lastUsedAt: Math.min(last, now) };
}

function foldUsage(members: readonly Memory[], timesOf: TimesOf, now: Instant): Usage {
  const eventTimes = members.flatMap(timesOf);
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
