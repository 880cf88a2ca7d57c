import { decayScore } from "../../model/decay-score.ts";
import { DAY_MS } from "../../model/instant.ts";
import type { Urgency } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { DecayResult } from "../../model/results.ts";
import type { DecaySettings, Settings } from "../../model/settings.ts";
import type { View } from "../../ports/view.ts";

const DECAY_ACTIONS = ["reinforce", "gc_candidate", "needs_review"] as const;

export function isDecayAction(action: string): action is DecayResult["action"] {
  return DECAY_ACTIONS.some((known) => known === action);
}

export interface Assessment {
  readonly memory: Memory;
  readonly score: number;
  readonly urgency: Urgency;
  readonly action: DecayResult["action"];
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
  const score = scoreOf(memory, view, settings);
  const isExpired = memory.expiresAt !== undefined && memory.expiresAt <= view.now;
  if (!isExpired && score >= settings.decay.lowBelow) return undefined;
  const action = isExpired ? "gc_candidate" : actionFor(memory, view, settings.decay);
  const urgency = isExpired ? "high" : urgencyOf(score, settings.decay);
  return { memory, score, urgency, action, isExpired };
}

export function scoreOf(memory: Memory, view: View, settings: Settings): number {
  const usage = view.usage(memory);
  return decayScore({ memory, usage, now: view.now, settings: settings.decay });
}

function urgencyOf(score: number, settings: DecaySettings): Urgency {
  if (score < settings.highBelow) return "high";
  return score < settings.mediumBelow ? "medium" : "low";
}

const USES_OF_VALUE = 3;
const STRENGTH_OF_VALUE = 1.5;

function actionFor(memory: Memory, view: View, settings: DecaySettings): DecayResult["action"] {
  const { useCount, lastUsedAt } = view.usage(memory);
  const isReviewed = memory.reviewCount > 0 || memory.lastReviewedAt !== undefined;
  if (useCount >= USES_OF_VALUE || isReviewed || memory.strength >= STRENGTH_OF_VALUE) {
    return "reinforce";
  }
  const isUsed = useCount > 0 || (lastUsedAt ?? memory.createdAt) > memory.createdAt;
  const isOld = view.now - memory.createdAt > settings.minAgeDays * DAY_MS;
  const isCandidate = !isUsed && memory.strength <= 1 && isOld && !hasEarlierRelation(memory, view);
  return isCandidate ? "gc_candidate" : "needs_review";
}

function hasEarlierRelation(memory: Memory, view: View): boolean {
  return view
    .relationsOf(memory.namespace, memory.id)
    .some((relation) => relation.createdAt < view.now);
}

export function wasMergedNow(memory: Memory, view: View): boolean {
  return memory.leaves.some(
    (leaf) => (view.memory(memory.namespace, leaf)?.archivedAt ?? -Infinity) >= view.now,
  );
}
