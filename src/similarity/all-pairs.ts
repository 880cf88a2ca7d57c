import { findPairsNaively, type PairQuery } from "./naive-pairs.ts";
import { createPairCollector, type PairList } from "./pair-list.ts";
import type { VectorMatrix } from "./vectors.ts";

export interface PairSearch {
  /** Sorted by first, then second row; `similarity` is the cosine, computed in float64. */
  readonly pairs: PairList;
  /** Why the search was slower than it could be, for a person to read. */
  readonly note?: string;
}

/**
 * Every pair of rows whose cosine is at least the threshold, exactly: the same pairs and values as the plain double loop.
 * Zero rows pair with nothing. k equal rows make k²/2 pairs of 16 bytes: group exact copies first. Fails with the signal's
 * reason, or with a RangeError on values that are not finite.
 */
export async function findSimilarPairs(
  matrix: VectorMatrix,
  query: PairQuery,
): Promise<PairSearch> {
  const collector = createPairCollector();
  await findPairsNaively(matrix, query, collector.add);
  return { pairs: collector.list() };
}
