import type { PairJudgement } from "../../agents/cluster/judge-pair.ts";
import type { Label } from "./read-labels.ts";

/** How a run would err on labelled pairs: the profile, the rules and the settings together. */
export interface LabelErrors {
  /** Share of the pairs that are no duplicates and would be merged with nobody looking. */
  readonly falseMergeRate: number;
  /** Share of the duplicates that would be neither merged nor shown to anyone. */
  readonly missedRate: number;
  /** Share of the duplicates that would be merged with nobody looking. */
  readonly mergedRate: number;
  /** Share of the related and unrelated pairs that somebody would be asked about. */
  readonly askedInVainRate: number;
}

export interface JudgedLabel {
  readonly label: Label;
  readonly judgement: PairJudgement;
}

export function measureLabels(judged: readonly JudgedLabel[]): LabelErrors {
  const share = (labels: readonly Label[], test: (judgement: PairJudgement) => boolean): number => {
    const rows = judged.filter(({ label }) => labels.includes(label));
    return rows.filter(({ judgement }) => test(judgement)).length / Math.max(1, rows.length);
  };
  return {
    falseMergeRate: share(["related", "unrelated", "contradiction"], ({ autoMerge }) => autoMerge),
    missedRate: share(["duplicate"], ({ verdict }) => verdict !== "duplicate"),
    mergedRate: share(["duplicate"], ({ autoMerge }) => autoMerge),
    askedInVainRate: share(
      ["related", "unrelated"],
      ({ verdict, autoMerge }) => verdict === "duplicate" && !autoMerge,
    ),
  };
}
