export interface Ranked {
  readonly score: number;
  readonly isPositive: boolean;
}

/** Average precision; rows of equal score count as one step, whatever their order. `null` without positives. */
export function averagePrecision(rows: readonly Ranked[]): number | null {
  const ranked = rows.toSorted((a, b) => b.score - a.score);
  const positives = ranked.filter(({ isPositive }) => isPositive).length;
  if (positives === 0) return null;
  let [sum, found, seen] = [0, 0, 0];
  while (seen < ranked.length) {
    const score = ranked[seen]?.score;
    const foundBefore = found;
    while (seen < ranked.length && ranked[seen]?.score === score) {
      if (ranked[seen]?.isPositive) found++;
      seen++;
    }
    sum += ((found - foundBefore) * found) / seen;
  }
  return sum / positives;
}

/** Chance that a positive scores above a negative, ties counting half. `null` where either is missing. */
export function areaUnderCurve(
  positives: readonly number[],
  negatives: readonly number[],
): number | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  const ascending = negatives.toSorted((a, b) => a - b);
  const wins = positives.map((score) => {
    const below = firstIndex(ascending, (value) => value >= score);
    const upTo = firstIndex(ascending, (value) => value > score);
    return below + (upTo - below) / 2;
  });
  return wins.reduce((sum, value) => sum + value, 0) / (positives.length * negatives.length);
}

function firstIndex(ascending: readonly number[], test: (value: number) => boolean): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(ascending[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Spearman's rank correlation, ties by mean rank. `null` below three values or where all are equal. */
export function rankCorrelation(x: readonly number[], y: readonly number[]): number | null {
  if (x.length < 3) return null;
  const [a, b] = [centred(ranksOf(x)), centred(ranksOf(y))];
  const spread = Math.sqrt(product(a, a) * product(b, b));
  return spread === 0 ? null : product(a, b) / spread;
}

function ranksOf(values: readonly number[]): readonly number[] {
  const ascending = values.toSorted((a, b) => a - b);
  return values.map(
    (value) =>
      (firstIndex(ascending, (other) => other >= value) +
        firstIndex(ascending, (other) => other > value)) /
      2,
  );
}

function centred(values: readonly number[]): readonly number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, index) => sum + value * (b[index] ?? 0), 0);
}

export interface Agreement {
  readonly b3: { readonly p: number; readonly r: number; readonly f1: number };
  /** Adjusted Rand index: 1 for the same partition, about 0 for a random one. */
  readonly ari: number;
}

/** B-cubed (Bagga and Baldwin 1998) and adjusted Rand index of found against true clusters: each item's cluster, item by item. */
export function clusterAgreement(found: readonly string[], truth: readonly string[]): Agreement {
  const foundSizes = countOf(found);
  const trueSizes = countOf(truth);
  const cellOf = (at: number): string => JSON.stringify([found[at], truth[at]]);
  const cells = countOf(found.map((_, at) => cellOf(at)));
  let [p, r] = [0, 0];
  for (const [at, cluster] of found.entries()) {
    const common = cells.get(cellOf(at)) ?? 0;
    p += common / (foundSizes.get(cluster) ?? 1) / found.length;
    r += common / (trueSizes.get(truth[at] ?? "") ?? 1) / found.length;
  }
  return {
    b3: { p, r, f1: p + r === 0 ? 0 : (2 * p * r) / (p + r) },
    ari: adjustedRand({ cells, foundSizes, trueSizes, items: found.length }),
  };
}

function adjustedRand(counts: {
  readonly cells: ReadonlyMap<string, number>;
  readonly foundSizes: ReadonlyMap<string, number>;
  readonly trueSizes: ReadonlyMap<string, number>;
  readonly items: number;
}): number {
  const pairsIn = (sizes: ReadonlyMap<string, number>): number =>
    [...sizes.values()].reduce((sum, size) => sum + (size * (size - 1)) / 2, 0);
  const [both, inFound, inTruth] = [
    pairsIn(counts.cells),
    pairsIn(counts.foundSizes),
    pairsIn(counts.trueSizes),
  ];
  const expected = (inFound * inTruth) / ((counts.items * (counts.items - 1)) / 2 || 1);
  const most = (inFound + inTruth) / 2;
  return most === expected ? 1 : (both - expected) / (most - expected);
}

function countOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** `part / whole`, `null` where there is no whole. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
