import type { AnchorErrors, SimilarityProfile } from "./profile.ts";

export interface LabelledCosine {
  readonly cosine: number;
  readonly label: "duplicate" | "contradiction" | "related" | "unrelated";
}

/** What the three similarities mean, as rates that do not depend on how common duplicates are in the labelled pairs. */
const LINK = { similarity: 0.65, duplicatesBelow: 0.05 };
const MERGE = { similarity: 0.83, othersBelow: 0.85 };
/** Eight in a thousand: what is merged without anyone looking has to be as good as the same. */
const AUTO_MERGE = { similarity: 0.85, othersBelow: 0.992 };
const FEW = 1 / (1 - AUTO_MERGE.othersBelow);
/** Keeps anchors apart where an embedder separates badly. */
const GAP = 0.005;

/**
 * Fits a profile to labelled pairs: 0.65 is the cosine that 95% of duplicates reach, 0.83 and 0.85 are those that 15% and 0.8%
 * of related or unrelated pairs reach. (Fitted this way the built-in embedder has 0.83 where complete-link clusters are
 * best, given that conflict rules have a say as well.) Contradictions take no part: they look like duplicates to any
 * cosine. Fails with a RangeError where a label is missing or the three do not come in order.
 */
export function fitProfile(pairs: readonly LabelledCosine[], embedder: string): SimilarityProfile {
  const duplicates = cosinesOf(pairs, ["duplicate"]);
  const others = cosinesOf(pairs, ["related", "unrelated"]);
  if (duplicates.length === 0 || others.length === 0) {
    throw new RangeError("expected duplicates and related or unrelated pairs to fit a profile");
  }
  const link = round(quantile(duplicates, LINK.duplicatesBelow));
  const merge = Math.max(round(quantile(others, MERGE.othersBelow)), round(link + GAP));
  // Of few pairs the highest: one of thirty is more than eight in a thousand.
  const highest = others.length < FEW ? 1 : AUTO_MERGE.othersBelow;
  const auto = Math.max(round(quantile(others, highest)), round(merge + GAP));
  if (link <= 0 || auto >= 1) {
    throw new RangeError(`the pairs do not separate: cosines ${link}, ${merge}, ${auto}`);
  }
  const anchors = [
    [link, LINK.similarity],
    [merge, MERGE.similarity],
    [auto, AUTO_MERGE.similarity],
  ] as const;
  return {
    version: 1,
    embedder,
    fitted: true,
    points: [[-1, -1], [0, 0], ...anchors, [1, 1]],
    errors: anchors.map(([cosine, similarity]) => errorsAt(pairs, cosine, similarity)),
  };
}

function cosinesOf(
  pairs: readonly LabelledCosine[],
  labels: readonly LabelledCosine["label"][],
): readonly number[] {
  return pairs
    .filter(({ label }) => labels.includes(label))
    .map(({ cosine }) => cosine)
    .sort((a, b) => a - b);
}

function quantile(ascending: readonly number[], share: number): number {
  return ascending[Math.floor(share * (ascending.length - 1))] ?? 0;
}

/** Three digits are all that labelled data support. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function errorsAt(
  pairs: readonly LabelledCosine[],
  cosine: number,
  similarity: number,
): AnchorErrors {
  const reached = (labels: readonly LabelledCosine["label"][]): number => {
    const cosines = cosinesOf(pairs, labels);
    return cosines.filter((value) => value >= cosine).length / Math.max(1, cosines.length);
  };
  return {
    similarity,
    cosine,
    falsePositiveRate: round(reached(["related", "unrelated"])),
    falseNegativeRate: round(1 - reached(["duplicate"])),
    contradictionRate: round(reached(["contradiction"])),
  };
}
