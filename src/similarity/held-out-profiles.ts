import { fitProfile, type LabelledCosine } from "./fit-profile.ts";
import type { SimilarityProfile } from "./profile.ts";

const FOLDS = 5;

/**
 * For each pair a profile that was fitted without it, nor with a fifth of its label's pairs: what errors measured by it show is what
 * pairs that nobody has labelled can expect. Fails with a RangeError where too few are left to fit to.
 */
export function heldOutProfiles(
  pairs: readonly LabelledCosine[],
  embedder: string,
): readonly SimilarityProfile[] {
  const seen = new Map<string, number>();
  const folds = pairs.map(({ label }) => {
    const count = seen.get(label) ?? 0;
    seen.set(label, count + 1);
    return count % FOLDS;
  });
  const profiles = Array.from({ length: FOLDS }, (_, fold) =>
    fitProfile(
      pairs.filter((_pair, index) => folds[index] !== fold),
      embedder,
    ),
  );
  return folds.flatMap((fold) => profiles[fold] ?? []);
}
