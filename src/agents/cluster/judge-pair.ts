import type { Settings } from "../../model/settings.ts";
import type { Conflict } from "../../text/conflicts/conflict.ts";
import { containmentOf } from "../../text/containment.ts";
import { normalizeText } from "../../text/normalize.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { type Comparison, compareTexts } from "./compare-texts.ts";

export interface PairJudgement {
  /** `duplicate`: may be merged, unseen or after a look; `conflict`: they contradict each other; `related`: alike, and two things. */
  readonly verdict: "duplicate" | "conflict" | "related" | "unrelated";
  /** Merged with nobody looking. */
  readonly autoMerge: boolean;
  /** Calibrated, 0 to 1. */
  readonly similarity: number;
  /** How likely they say the same, similarity and conflicts taken together. Only its order means something. */
  readonly sameness: number;
  readonly conflicts: readonly Conflict[];
  /** In words, for a person. */
  readonly reason: string;
}

/**
 * What the cluster agent makes of two texts when nothing else is like them. Symmetric up to the order of spans. (The kind, period, length,
 * note or pin of a memory may still keep apart what the texts would allow to merge.)
 */
export function judgePair(
  pair: { readonly a: string; readonly b: string; readonly cosine: number },
  { deps, settings }: { readonly deps: AgentDeps; readonly settings: Settings },
): PairJudgement {
  const containment =
    normalizeText(pair.a) === normalizeText(pair.b) ? "equal" : containmentOf(pair.a, pair.b);
  const comparison = compareTexts(
    { ...pair, isContained: containment !== "none" },
    { deps, settings },
  );
  const { similarity } = comparison;
  const conflicts = comparison.conflicts();
  const sameness = comparison.sameness();
  const common = { similarity, sameness, conflicts };
  if (containment === "none") return { ...common, ...decide(comparison, settings.cluster) };
  const reason =
    containment === "equal" ? "they are the same text" : "one holds every sentence of the other";
  return { ...common, verdict: "duplicate", autoMerge: true, reason };
}

type Decision = Pick<PairJudgement, "verdict" | "autoMerge" | "reason">;

function decide(comparison: Comparison, settings: Settings["cluster"]): Decision {
  const { similarity } = comparison;
  const alike = `similarity ${similarity.toFixed(2)}`;
  if (similarity < settings.linkThreshold) {
    const reason = `${alike} is below ${settings.linkThreshold}`;
    return { verdict: "unrelated", autoMerge: false, reason };
  }
  const contradictions = comparison.contradictions();
  if (contradictions.length > 0) {
    return { verdict: "conflict", autoMerge: false, reason: wordsOf(contradictions) };
  }
  if (comparison.areApart()) {
    return { verdict: "related", autoMerge: false, reason: wordsOf(comparison.conflicts()) };
  }
  const isAlike = similarity >= Math.max(settings.similarityThreshold, settings.autoMergeCohesion);
  if (isAlike && comparison.isSafe()) {
    return {
      verdict: "duplicate",
      autoMerge: true,
      reason: `${alike}, and no rule sees a difference`,
    };
  }
  const doubts = comparison.conflicts();
  const reason =
    doubts.length > 0
      ? `${alike}; somebody has to look: ${wordsOf(doubts)}`
      : `${alike}: alike, and not beyond doubt`;
  return { verdict: "duplicate", autoMerge: false, reason };
}

function wordsOf(conflicts: readonly Conflict[]): string {
  return [...new Set(conflicts.map(({ reason }) => reason))].join("; ");
}
