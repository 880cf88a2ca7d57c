import { DAY_MS } from "../../model/instant.ts";
import { fingerprintOf, standingOf } from "../../model/issue.ts";
import { isLive, memoryKey } from "../../model/memory.ts";
import type { AgentContext } from "../../ports/agent.ts";
import type { Assessment } from "./assess-memory.ts";
import type { DecayIssues } from "./decay-issues.ts";

/** The step that forgets; the cap counts it. What a person approved is another step, and no part of the cap. */
export const ARCHIVE = "archive";

/** Why a memory that could be forgotten stays. */
export type Held =
  | "pinned"
  | "disputed"
  | "declined"
  | "no_usage_signal"
  | "clock_leap"
  | "last_of_scope"
  | "capped";

export type ArchiveDecision = "archive" | "keep" | Held;

/** Decides over one namespace; ask in the order in which memories are to be forgotten, lowest score first. */
export function createArchiveDecisions(
  namespace: string,
  { context, issues }: { readonly context: AgentContext; readonly issues: DecayIssues },
): {
  readonly decide: (assessment: Assessment) => ArchiveDecision;
  /** A person's decision: the cap does not count it, yet it never empties the scope either. */
  readonly takeApproved: () => boolean;
} {
  const { view, settings } = context;
  const live = view.memories(namespace).filter(isLive).length;
  const already = view.appliedSince({
    agent: "decay",
    action: ARCHIVE,
    namespace,
    since: view.now - DAY_MS,
  });
  // What the window already took counts as there, or a killed run and its rerun would take a percentage of two sizes.
  const percent = Math.floor(((live + already) * settings.decay.archivePercentPerDay) / 100);
  let allowed = Math.min(percent, settings.decay.archivesPerDay) - already;
  let left = live;
  const take = (): boolean => {
    if (left <= 1) return false;
    left -= 1;
    return true;
  };
  const decide = (assessment: Assessment): ArchiveDecision => {
    if (!isForgettable(assessment, settings.decay.forgetBelow)) return "keep";
    const held = whyHeld(assessment, { context, issues });
    if (held !== undefined) return held;
    if (allowed <= 0) return "capped";
    if (!take()) return "last_of_scope";
    allowed -= 1;
    return "archive";
  };
  return { decide, takeApproved: take };
}

function isForgettable({ score, action, isExpired }: Assessment, forgetBelow: number): boolean {
  return isExpired || (action === "gc_candidate" && score < forgetBelow);
}

function whyHeld(
  { memory }: Assessment,
  { context, issues }: { readonly context: AgentContext; readonly issues: DecayIssues },
): Held | undefined {
  if (memory.pinned) return "pinned";
  if (memory.disputed) return "disputed";
  if (!context.view.hasUsageSignal(memory.namespace)) return "no_usage_signal";
  if (context.holdForgettingUntil !== undefined) return "clock_leap";
  const fingerprint = fingerprintOf({
    agent: "decay",
    namespace: memory.namespace,
    action: ARCHIVE,
    members: [memory],
  });
  const isDeclined =
    standingOf(context.view.issueByFingerprint(fingerprint)) === "declined" ||
    issues.isForgettingDeclined(memoryKey(memory), memory.content);
  return isDeclined ? "declined" : undefined;
}
