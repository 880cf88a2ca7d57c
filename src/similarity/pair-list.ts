/** Pairs of rows as columns, 16 bytes a pair: `first[p] < second[p]`, and `similarity[p]` is theirs. */
export interface PairList {
  readonly count: number;
  readonly first: Uint32Array;
  readonly second: Uint32Array;
  /** Cosine as the search found it, or what `calibratePairs` made of it. */
  readonly similarity: Float64Array;
}

/** Grows as pairs arrive; `list()` gives them sorted by first, then second row, whatever order they came in. */
export interface PairCollector {
  readonly count: number;
  add(first: number, second: number, similarity: number): void;
  list(): PairList;
}

export function createPairCollector(): PairCollector {
  let capacity = 1024;
  let count = 0;
  let first = new Uint32Array(capacity);
  let second = new Uint32Array(capacity);
  let similarity = new Float64Array(capacity);

  const grow = (): void => {
    capacity *= 2;
    first = copyInto(new Uint32Array(capacity), first);
    second = copyInto(new Uint32Array(capacity), second);
    similarity = copyInto(new Float64Array(capacity), similarity);
  };
  return {
    get count() {
      return count;
    },
    add(i, j, value) {
      if (count === capacity) grow();
      first[count] = Math.min(i, j);
      second[count] = Math.max(i, j);
      similarity[count] = value;
      count++;
    },
    list: () =>
      sortPairs({
        count,
        first: first.slice(0, count),
        second: second.slice(0, count),
        similarity: similarity.slice(0, count),
      }),
  };
}

function copyInto<T extends Uint32Array | Float64Array>(target: T, source: T): T {
  target.set(source);
  return target;
}

function sortPairs(pairs: PairList): PairList {
  const { count, first, second, similarity } = pairs;
  const before = (p: number, q: number): number =>
    (first[p] ?? 0) - (first[q] ?? 0) || (second[p] ?? 0) - (second[q] ?? 0);
  let sorted = true;
  for (let p = 1; p < count && sorted; p++) sorted = before(p - 1, p) < 0;
  // A full search arrives in order; only the search against changed rows has to be sorted.
  if (sorted) return pairs;
  const order = Uint32Array.from({ length: count }, (_, p) => p).sort(before);
  return {
    count,
    first: order.map((p) => first[p] ?? 0),
    second: order.map((p) => second[p] ?? 0),
    similarity: Float64Array.from(order, (p) => similarity[p] ?? 0),
  };
}
