import { decayScore } from "../../model/decay-score.ts";
import { DAY_MS } from "../../model/instant.ts";
import type { Memory } from "../../model/memory.ts";
import type { PromotionResult } from "../../model/results.ts";
import type { Usage } from "../../model/use.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { promotionLint } from "../../text/fragments.ts";
import { findSecrets } from "../../text/secrets.ts";
import { writtenOf } from "./secret-issues.ts";

export interface Candidate {
  readonly memory: Memory;
  readonly score: number;
  readonly criteriaMet: PromotionResult["criteriaMet"];
  readonly usesInWindow: number;
}

export type GateResult =
  | { readonly kind: "passed"; readonly candidate: Candidate }
  /** The first gate that it does not pass. */
  | { readonly kind: "held"; readonly reason: string };

/**
 * Whether an active memory is to be promoted. A new memory always scores 1, so age and use are asked for besides a criterion: without
 * them everything is promoted the hour it is born. A person who forces a promotion overrides criteria, age and use, and nothing else.
 */
export function passGates(memory: Memory, context: AgentContext): GateResult {
  const { view, settings } = context;
  const usage = view.usage(memory);
  const score = decayScore({ memory, usage, now: view.now, settings: settings.decay });
  const usesInWindow = countUsesInWindow(memory, usage, context);
  const isForced = context.forced?.has(memory.id) === true;
  const criteriaMet: PromotionResult["criteriaMet"] = [
    ...(isForced ? (["forced"] as const) : []),
    ...(score >= settings.promote.scoreAtLeast ? (["score"] as const) : []),
    ...(usesInWindow >= settings.promote.usesAtLeast ? (["uses"] as const) : []),
  ];
  const reason =
    (isForced ? undefined : whyTooEarly(memory, { usage, context, criteriaMet })) ??
    whyUnfit(memory);
  if (reason !== undefined) return { kind: "held", reason };
  return { kind: "passed", candidate: { memory, score, criteriaMet, usesInWindow } };
}

function whyTooEarly(
  memory: Memory,
  facts: {
    readonly usage: Usage;
    readonly context: AgentContext;
    readonly criteriaMet: PromotionResult["criteriaMet"];
  },
): string | undefined {
  const { view, settings } = facts.context;
  if (facts.criteriaMet.length === 0) return "below_threshold";
  if (view.now - memory.createdAt < settings.promote.minAgeDays * DAY_MS) return "too_young";
  const isReviewed = memory.reviewCount > 0 || memory.lastReviewedAt !== undefined;
  return facts.usage.useCount > 0 || isReviewed ? undefined : "never_used";
}

function whyUnfit(memory: Memory): string | undefined {
  if (memory.disputed) return "disputed";
  if (findSecrets(writtenOf(memory)).length > 0) return "secret";
  const lint = promotionLint(memory.content);
  return lint === "ok" ? undefined : lint.reason;
}

/** An import's counters carry no dates: a memory younger than the window has all its uses within it, an older one may have none. */
function countUsesInWindow(memory: Memory, usage: Usage, { view, settings }: AgentContext): number {
  const since = view.now - settings.promote.usesWithinDays * DAY_MS;
  const dated = usage.eventTimes.filter((at) => at > since).length;
  return memory.createdAt > since ? dated + usage.baseUseCount : dated;
}
