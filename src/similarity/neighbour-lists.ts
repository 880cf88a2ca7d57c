/** What is known of the neighbours of a row. */
export const LIST = {
  /** Nothing. */
  unknown: 0,
  /** The list is all there is. */
  whole: 1,
  /** The list holds all that are as good as its horizon or better; beyond it there are others. */
  cut: 2,
} as const;

/** The best neighbours of every row, best first, as columns of `size` slots a row. A horizon outlives the neighbour that it was set by. */
export interface NeighbourLists {
  readonly rows: number;
  readonly size: number;
  readonly state: Uint8Array;
  readonly filled: Uint32Array;
  readonly neighbour: Uint32Array;
  readonly similarity: Float64Array;
  /** By row, where its list is cut. */
  readonly horizonSimilarity: Float64Array;
  readonly horizonKey: string[];
}

export function createNeighbourLists(rows: number, size: number): NeighbourLists {
  return {
    rows,
    size,
    state: new Uint8Array(rows),
    filled: new Uint32Array(rows),
    neighbour: new Uint32Array(rows * size),
    similarity: new Float64Array(rows * size),
    horizonSimilarity: new Float64Array(rows),
    horizonKey: new Array<string>(rows).fill(""),
  };
}

/** Whether the first `nearest` of a row are certain. */
export function isCertain({ state, filled }: NeighbourLists, row: number, nearest: number) {
  return state[row] === LIST.whole || (state[row] === LIST.cut && (filled[row] ?? 0) >= nearest);
}

/**
 * The lists of other rows, of which some were among these: `earlierRow` tells by row which. Neighbours that are not among the other rows
 * drop out, and rows that were not among these have no list.
 */
export function carryLists(
  from: NeighbourLists,
  { rows, earlierRow }: { readonly rows: number; readonly earlierRow: Int32Array },
): NeighbourLists {
  const to = createNeighbourLists(rows, from.size);
  const rowOfEarlier = new Int32Array(from.rows).fill(GONE);
  earlierRow.forEach((earlier, row) => {
    if (earlier !== GONE) rowOfEarlier[earlier] = row;
  });
  earlierRow.forEach((earlier, row) => {
    if (earlier !== GONE) carryList({ from, to, earlier, row, rowOfEarlier });
  });
  return to;
}

function carryList(list: {
  readonly from: NeighbourLists;
  readonly to: NeighbourLists;
  readonly earlier: number;
  readonly row: number;
  readonly rowOfEarlier: Int32Array;
}): void {
  const { from, to, earlier, row, rowOfEarlier } = list;
  to.state[row] = from.state[earlier] ?? LIST.unknown;
  to.horizonSimilarity[row] = from.horizonSimilarity[earlier] ?? 0;
  to.horizonKey[row] = from.horizonKey[earlier] ?? "";
  const start = earlier * from.size;
  let next = row * to.size;
  for (let slot = start; slot < start + (from.filled[earlier] ?? 0); slot++) {
    const neighbour = rowOfEarlier[from.neighbour[slot] ?? 0] ?? GONE;
    if (neighbour === GONE) continue;
    to.neighbour[next] = neighbour;
    to.similarity[next] = from.similarity[slot] ?? 0;
    next += 1;
  }
  to.filled[row] = next - row * to.size;
}

/** Marks a row that was not there. */
export const GONE = -1;

export interface Ranking {
  /** Forgets a row's list, which is whole from then on until more are offered than it holds. */
  begin(row: number): void;
  /** Takes a neighbour in where it is as good as the horizon, and no worse than all others of a full list. */
  offer(row: number, neighbour: number, similarity: number): void;
}

/** Keeps lists in order as neighbours arrive: the more similar first, of equally similar ones the lower key. */
export function rankInPlace(lists: NeighbourLists, keys: readonly string[]): Ranking {
  const { size, state, filled, neighbour, similarity, horizonSimilarity, horizonKey } = lists;
  const rank = ranksOf(keys);
  const isBetter = (value: number, other: number, slot: number): boolean => {
    const difference = value - (similarity[slot] ?? 0);
    if (difference !== 0) return difference > 0;
    return (rank[other] ?? 0) < (rank[neighbour[slot] ?? 0] ?? 0);
  };
  const isBeyond = (row: number, other: number, value: number): boolean => {
    const difference = value - (horizonSimilarity[row] ?? 0);
    return difference === 0 ? (keys[other] ?? "") > (horizonKey[row] ?? "") : difference < 0;
  };
  const set = (slot: number, other: number, value: number): void => {
    neighbour[slot] = other;
    similarity[slot] = value;
  };
  /** From the given slot up to its place: a dozen slots, and most offers end at the last one. */
  const insert = (start: number, from: number, other: number, value: number): void => {
    let slot = from;
    for (; slot > start && isBetter(value, other, slot - 1); slot -= 1) {
      set(slot, neighbour[slot - 1] ?? 0, similarity[slot - 1] ?? 0);
    }
    set(slot, other, value);
  };
  const cutAfter = (row: number, slot: number): void => {
    state[row] = LIST.cut;
    horizonSimilarity[row] = similarity[slot] ?? 0;
    horizonKey[row] = keys[neighbour[slot] ?? 0] ?? "";
  };
  return {
    begin: (row) => {
      filled[row] = 0;
      state[row] = LIST.whole;
    },
    offer: (row, other, value) => {
      if (state[row] === LIST.cut && isBeyond(row, other, value)) return;
      const start = row * size;
      const count = filled[row] ?? 0;
      const isFull = count === size;
      const last = start + count - 1;
      if (isFull && !isBetter(value, other, last)) {
        cutAfter(row, last);
        return;
      }
      insert(start, isFull ? last : last + 1, other, value);
      if (isFull) cutAfter(row, last);
      else filled[row] = count + 1;
    },
  };
}

/** Numbers in place of names, since a crowded row compares thousands of times. */
function ranksOf(keys: readonly string[]): Uint32Array {
  const order = Uint32Array.from({ length: keys.length }, (_, row) => row);
  order.sort((a, b) => {
    const [keyA = "", keyB = ""] = [keys[a], keys[b]];
    if (keyA === keyB) return a - b;
    return keyA < keyB ? -1 : 1;
  });
  const ranks = new Uint32Array(keys.length);
  for (const [rank, row] of order.entries()) ranks[row] = rank;
  return ranks;
}
