import { judgePair, type PairJudgement } from "../../src/agents/cluster/judge-pair.ts";
import { dot } from "../../src/similarity/vectors.ts";
import { areaUnderCurve, averagePrecision, rankCorrelation, shareOf } from "./metrics.ts";
import type { Product } from "./product.ts";
import type { Label, LabelledPair } from "./read-data.ts";

export interface JudgedPair extends LabelledPair {
  readonly judgement: PairJudgement;
}

/** Shares and rates are `null` where the rows have nothing to take them of. */
export interface PairMeasures {
  readonly n: number;
  /** Contradictions that would be merged with nobody looking. */
  readonly falseMergeRate: number | null;
  /** Related and unrelated rows that would. */
  readonly relatedMergeRate: number | null;
  /** Share of duplicates among what would. */
  readonly autoMergePrecision: number | null;
  /** Share of duplicates that would. */
  readonly autoMergeRecall: number | null;
  /** Share of duplicates merged or proposed to a person or model as a merge. */
  readonly suggestRecall: number | null;
  /** Share of duplicates and contradictions among all that is merged, proposed as a merge, or reported as a contradiction. */
  readonly suggestPrecision: number | null;
  readonly duplicateAP: number | null;
  readonly duplicateAUC: number | null;
  readonly duplicateVsContradictionAUC: number | null;
  readonly contradiction: { readonly p: number | null; readonly r: number | null };
  /** Of the similarity with the likeness that people gave. */
  readonly spearman: number | null;
}

export function judgePairs(
  pairs: readonly LabelledPair[],
  { embedder, deps, settings }: Product,
): readonly JudgedPair[] {
  return pairs.map((pair) => {
    const cosine = dot(embedder.encode(pair.a), embedder.encode(pair.b));
    return { ...pair, judgement: judgePair({ ...pair, cosine }, { deps, settings }) };
  });
}

export function measurePairs(rows: readonly JudgedPair[]): PairMeasures {
  const count = (labels: readonly Label[], test: (row: JudgedPair) => boolean): number =>
    rows.filter((row) => labels.includes(row.label) && test(row)).length;
  const rateOf = (labels: readonly Label[], test: (row: JudgedPair) => boolean): number | null =>
    shareOf(count(labels, test), count(labels, all));
  const precisionOf = (
    labels: readonly Label[],
    test: (row: JudgedPair) => boolean,
  ): number | null => shareOf(count(labels, test), rows.filter(test).length);
  const samenessOf = (label: Label): readonly number[] =>
    rows.filter((row) => row.label === label).map(({ judgement }) => judgement.sameness);
  const ranked = rows.map(({ label, judgement }) => ({
    score: judgement.sameness,
    isPositive: label === "duplicate",
  }));
  const scored = rows.filter(({ score }) => score !== undefined);
  return {
    n: rows.length,
    falseMergeRate: rateOf(["contradiction"], isMerged),
    relatedMergeRate: rateOf(["related", "unrelated"], isMerged),
    autoMergePrecision: precisionOf(["duplicate"], isMerged),
    autoMergeRecall: rateOf(["duplicate"], isMerged),
    suggestRecall: rateOf(["duplicate"], isProposed),
    suggestPrecision: precisionOf(
      ["duplicate", "contradiction"],
      (row) => isProposed(row) || isReported(row),
    ),
    duplicateAP: averagePrecision(ranked),
    duplicateAUC: areaUnderCurve(
      samenessOf("duplicate"),
      rows.filter(({ label }) => label !== "duplicate").map((row) => row.judgement.sameness),
    ),
    duplicateVsContradictionAUC: areaUnderCurve(
      samenessOf("duplicate"),
      samenessOf("contradiction"),
    ),
    contradiction: {
      p: precisionOf(["contradiction"], isReported),
      r: rateOf(["contradiction"], isReported),
    },
    spearman: rankCorrelation(
      scored.map(({ judgement }) => judgement.similarity),
      scored.map(({ score = 0 }) => score),
    ),
  };
}

export interface PooledMeasures {
  readonly pooled: PairMeasures;
  readonly byFile: Readonly<Record<string, PairMeasures>>;
  readonly bySource: Readonly<Record<string, PairMeasures>>;
}

/** The same measures of all rows, and of each file and source apart. */
export function measureSources(rows: readonly JudgedPair[]): PooledMeasures {
  return {
    pooled: measurePairs(rows),
    byFile: measureEach(rows, ({ file }) => file),
    bySource: measureEach(rows, ({ source }) => source),
  };
}

function measureEach(
  rows: readonly JudgedPair[],
  nameOf: (row: JudgedPair) => string,
): Readonly<Record<string, PairMeasures>> {
  const names = [...new Set(rows.map(nameOf))].sort();
  return Object.fromEntries(
    names.map((name) => [name, measurePairs(rows.filter((row) => nameOf(row) === name))]),
  );
}

const all = (): boolean => true;
const isMerged = ({ judgement }: JudgedPair): boolean => judgement.autoMerge;
const isProposed = ({ judgement }: JudgedPair): boolean => judgement.verdict === "duplicate";
const isReported = ({ judgement }: JudgedPair): boolean => judgement.verdict === "conflict";
