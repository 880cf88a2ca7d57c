import type { VectorMatrix } from "../model/vector-matrix.ts";
import { type AllPairsQuery, forEachSimilarPair } from "./all-pairs.ts";
import { createPairCollector, type PairList } from "./pair-list.ts";

/**
 * The pairs of `findSimilarPairs` that are among the `nearest` of at least one of their rows: at most `rows * nearest`, whatever the data.
 * Ten thousand texts of one template are fifty million pairs, of which a person or a merge of twelve can use next to nothing. Equally
 * similar neighbours rank by row, so the answer does not depend on the order in which pairs are found.
 */
export async function findNearestPairs(
  matrix: VectorMatrix,
  query: AllPairsQuery & { readonly nearest: number },
): Promise<{ readonly pairs: PairList; readonly note?: string }> {
  const { nearest, ...search } = query;
  const best = createRankings(matrix.rows, nearest);
  const { note } = await forEachSimilarPair(matrix, search, (first, second, similarity) => {
    best.offer(first, second, similarity);
    best.offer(second, first, similarity);
  });
  return { pairs: best.pairs(), ...(note === undefined ? {} : { note }) };
}

/** For each row its best neighbours, best first: `size` slots a row, of which `filled` are taken. */
function createRankings(rows: number, size: number) {
  const neighbours = new Uint32Array(rows * size);
  const similarities = new Float64Array(rows * size);
  const filled = new Uint32Array(rows);

  const isBetter = (similarity: number, neighbour: number, slot: number): boolean => {
    const difference = similarity - (similarities[slot] ?? 0);
    return difference > 0 || (difference === 0 && neighbour < (neighbours[slot] ?? 0));
  };
  const set = (slot: number, neighbour: number, similarity: number): void => {
    neighbours[slot] = neighbour;
    similarities[slot] = similarity;
  };
  const offer = (row: number, neighbour: number, similarity: number): void => {
    const start = row * size;
    const count = filled[row] ?? 0;
    let slot = start + count;
    if (count === size) {
      if (!isBetter(similarity, neighbour, slot - 1)) return;
      slot -= 1;
    } else {
      filled[row] = count + 1;
    }
    // Insertion: a dozen slots, and most offers end at the last one.
    for (; slot > start && isBetter(similarity, neighbour, slot - 1); slot -= 1) {
      set(slot, neighbours[slot - 1] ?? 0, similarities[slot - 1] ?? 0);
    }
    set(slot, neighbour, similarity);
  };
  const ranks = (row: number, neighbour: number): boolean => {
    const start = row * size;
    return neighbours.subarray(start, start + (filled[row] ?? 0)).includes(neighbour);
  };
  /** A pair that both rank is taken once, from its smaller row. */
  const isTakenElsewhere = (row: number, neighbour: number): boolean =>
    row > neighbour && ranks(neighbour, row);
  const pairs = (): PairList => {
    const collector = createPairCollector();
    for (let row = 0; row < rows; row++) {
      const end = row * size + (filled[row] ?? 0);
      for (let slot = row * size; slot < end; slot++) {
        const neighbour = neighbours[slot] ?? 0;
        if (isTakenElsewhere(row, neighbour)) continue;
        collector.add(row, neighbour, similarities[slot] ?? 0);
      }
    }
    return collector.list();
  };
  return { offer, pairs };
}
