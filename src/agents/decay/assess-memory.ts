import { type DecayAction, decayActionOf, urgencyOf } from "../../model/decay-action.ts";
import { decayScore } from "../../model/decay-score.ts";
import type { Urgency } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Settings } from "../../model/settings.ts";
import type { View } from "../../ports/view.ts";

export interface Assessment {
  readonly memory: Memory;
  readonly score: number;
  readonly urgency: Urgency;
  readonly action: DecayAction;
  /** Its time to live is over. */
  readonly isExpired: boolean;
}

/**
 * Whether, how urgently and in which way an active memory is at risk. A link or merge that this very instant brought is left out, as
 * agents run after decay: a second run at the same clock must find what the first one found.
 */
export function assessMemory(
  memory: Memory,
  { view, settings }: { readonly view: View; readonly settings: Settings },
): Assessment | undefined {
  if (memory.status !== "active" || wasMergedNow(memory, view)) return undefined;
  const usage = view.usage(memory);
  const score = decayScore({ memory, usage, now: view.now, settings: settings.decay });
  if (memory.expiresAt !== undefined && memory.expiresAt <= view.now) {
    return { memory, score, urgency: "high", action: "gc_candidate", isExpired: true };
  }
  const urgency = urgencyOf(score, settings.decay);
  if (urgency === undefined) return undefined;
  const action = decayActionOf({
    memory,
    usage,
    isLinked: hasEarlierRelation(memory, view),
    now: view.now,
    settings: settings.decay,
  });
  return { memory, score, urgency, action, isExpired: false };
}

export function scoreOf(memory: Memory, view: View, settings: Settings): number {
  const usage = view.usage(memory);
  return decayScore({ memory, usage, now: view.now, settings: settings.decay });
}

function hasEarlierRelation(memory: Memory, view: View): boolean {
  return view.tiesOf(memory.namespace, memory.id).some(({ createdAt }) => createdAt < view.now);
}

export function wasMergedNow(memory: Memory, view: View): boolean {
  return memory.leaves.some(
    (leaf) => (view.memory(memory.namespace, leaf)?.archivedAt ?? -Infinity) >= view.now,
  );
}
