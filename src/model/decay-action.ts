import { DAY_MS, type Instant } from "./instant.ts";
import type { Urgency } from "./issue.ts";
import type { Memory } from "./memory.ts";
import type { DecaySettings } from "./settings.ts";
import type { Usage } from "./use.ts";

/** How soon a memory of this decay score is forgotten; `undefined`: it is not at risk. */
export function urgencyOf(score: number, settings: DecaySettings): Urgency | undefined {
  if (score < settings.highBelow) return "high";
  if (score < settings.mediumBelow) return "medium";
  return score < settings.lowBelow ? "low" : undefined;
}

const DECAY_ACTIONS = ["reinforce", "gc_candidate", "needs_review"] as const;
export type DecayAction = (typeof DECAY_ACTIONS)[number];

export function isDecayAction(action: string): action is DecayAction {
  return DECAY_ACTIONS.some((known) => known === action);
}

const USES_OF_VALUE = 3;
const STRENGTH_OF_VALUE = 1.5;

/**
 * What to do about a memory at risk: `reinforce` what was used thrice, reviewed or made strong; `gc_candidate` is what was never used, is
 * not strong, linked to nothing and old enough; the rest needs a person's eye.
 */
export function decayActionOf(input: {
  readonly memory: Memory;
  readonly usage: Usage;
  readonly isLinked: boolean;
  readonly now: Instant;
  readonly settings: DecaySettings;
}): DecayAction {
  const { memory, usage, isLinked, now, settings } = input;
  const isReviewed = memory.reviewCount > 0 || memory.lastReviewedAt !== undefined;
  if (usage.useCount >= USES_OF_VALUE || isReviewed || memory.strength >= STRENGTH_OF_VALUE) {
    return "reinforce";
  }
  const isUsed = usage.useCount > 0 || (usage.lastUsedAt ?? memory.createdAt) > memory.createdAt;
  const isOld = now - memory.createdAt > settings.minAgeDays * DAY_MS;
  return !isUsed && memory.strength <= 1 && isOld && !isLinked ? "gc_candidate" : "needs_review";
}
