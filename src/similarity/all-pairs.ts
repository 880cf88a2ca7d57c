import { forEachBlockedPair } from "./blocking.ts";
import { type ExactQuery, forEachExactPair } from "./exact-pairs.ts";
import type { OnPair } from "./naive-pairs.ts";
import { createPairCollector, type PairList } from "./pair-list.ts";
import type { VectorMatrix } from "./vectors.ts";

export interface AllPairsQuery extends ExactQuery {
  /** Rows up to which everything is compared; beyond them see `forEachBlockedPair`. @default 200000 */
  readonly exactUpTo?: number;
}

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
  query: AllPairsQuery,
): Promise<PairSearch> {
  const collector = createPairCollector();
  const { note } = await forEachSimilarPair(matrix, query, collector.add);
  return { pairs: collector.list(), ...(note === undefined ? {} : { note }) };
}

/** Comparing everything takes minutes of processor time from here on, and four times as many with twice the rows. */
const EXACT_ROWS = 200_000;
/** Comparing a few changed rows with all others is quick whatever the size. */
const CHANGED_SHARE = 0.05;

/**
 * As `findSimilarPairs`, but hands pairs on as they are found and keeps none: in order of rows, or, against changed
 * rows, in an order that depends on the rows alone. Of very many rows nearly all pairs; the note then says what share.
 */
export async function forEachSimilarPair(
  matrix: VectorMatrix,
  { exactUpTo = EXACT_ROWS, ...query }: AllPairsQuery,
  onPair: OnPair,
): Promise<{ readonly note?: string }> {
  const queryRows = query.against?.length ?? matrix.rows;
  const isExact = matrix.rows <= exactUpTo || queryRows < CHANGED_SHARE * matrix.rows;
  if (isExact || query.engine !== undefined) return await forEachExactPair(matrix, query, onPair);
  return await forEachBlockedPair(matrix, query, onPair);
}
