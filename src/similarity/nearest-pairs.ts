import type { VectorMatrix } from "../model/vector-matrix.ts";
import { type AllPairsQuery, forEachSimilarPair } from "./all-pairs.ts";
import {
  createNeighbourLists,
  isCertain,
  LIST,
  type NeighbourLists,
  rankInPlace,
} from "./neighbour-lists.ts";
import { createPairCollector, type PairList } from "./pair-list.ts";

export interface NearestQuery extends Omit<AllPairsQuery, "against"> {
  /** Neighbours of a row that make pairs. */
  readonly nearest: number;
  /**
   * Neighbours of a row that are kept for a later search, so that a few may go before the row has to be searched again.
   * @default nearest
   */
  readonly kept?: number;
  /** By row, a name that stays from search to search: of equally similar neighbours, the lower name goes first. */
  readonly keys: readonly string[];
  /** What an earlier search with the same threshold and `kept` found of these rows. It is used up: the lists are changed in place. */
  readonly known?: NeighbourLists;
}

export interface NearestPairs {
  /** Sorted by first, then second row. */
  readonly pairs: PairList;
  /** For the next search. */
  readonly lists: NeighbourLists;
  /** How many rows were compared with all others. */
  readonly searched: number;
  readonly note?: string;
}

/**
 * The pairs of `findSimilarPairs` that are among the `nearest` of at least one of their rows: at most `rows * nearest`, whatever the data.
 * Ten thousand texts of one template are fifty million pairs, of which a person or a merge of twelve can use next to nothing. Equally
 * similar neighbours rank by key, so the answer depends neither on the order of rows nor on what was known: given what an earlier search
 * found, only new rows are compared with all, and those of whose neighbours so many have gone that the nearest are not certain.
 */
export async function findNearestPairs(
  matrix: VectorMatrix,
  query: NearestQuery,
): Promise<NearestPairs> {
  const { nearest, kept = nearest, keys, known, ...search } = query;
  const lists = known ?? createNeighbourLists(matrix.rows, kept);
  const ranking = rankInPlace(lists, keys);
  const isNew = lists.state.map((state) => (state === LIST.unknown ? 1 : 0));
  const against: number[] = [];
  const isSearched = new Uint8Array(matrix.rows);
  for (let row = 0; row < matrix.rows; row++) {
    if (isCertain(lists, row, nearest)) continue;
    against.push(row);
    isSearched[row] = 1;
    ranking.begin(row);
  }
  const offer = (row: number, neighbour: number, similarity: number): void => {
    // A row that is not searched has its old neighbours in its list already.
    if (isSearched[row] === 1 || isNew[neighbour] === 1) ranking.offer(row, neighbour, similarity);
  };
  const onPair = (first: number, second: number, similarity: number): void => {
    offer(first, second, similarity);
    offer(second, first, similarity);
  };
  const isWhole = against.length === matrix.rows;
  const { note } =
    against.length === 0
      ? {}
      : await forEachSimilarPair(matrix, { ...search, ...(isWhole ? {} : { against }) }, onPair);
  return {
    pairs: pairsOf(lists, nearest),
    lists,
    searched: against.length,
    ...(note === undefined ? {} : { note }),
  };
}

function pairsOf({ rows, size, filled, neighbour, similarity }: NeighbourLists, nearest: number) {
  const endOf = (row: number): number => row * size + Math.min(nearest, filled[row] ?? 0);
  const ranks = (row: number, other: number): boolean =>
    neighbour.subarray(row * size, endOf(row)).includes(other);
  const collector = createPairCollector();
  for (let row = 0; row < rows; row++) {
    for (let slot = row * size; slot < endOf(row); slot++) {
      const other = neighbour[slot] ?? 0;
      // A pair that both rank is taken once, from its smaller row.
      const isTakenElsewhere = row > other && ranks(other, row);
      if (!isTakenElsewhere) collector.add(row, other, similarity[slot] ?? 0);
    }
  }
  return collector.list();
}
