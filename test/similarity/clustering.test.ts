import fc from "fast-check";
import { expect, test } from "vitest";
import {
  averageLinkGroups,
  cohesion,
  completeLinkGroups,
  type Groups,
  type Similarity,
} from "../../src/similarity/clustering.ts";
import { createPairCollector, type PairList } from "../../src/similarity/pair-list.ts";

type Triple = readonly [first: number, second: number, similarity: number];

function pairList(triples: readonly Triple[]): PairList {
  const collector = createPairCollector();
  for (const triple of triples) collector.add(...triple);
  return collector.list();
}

test("completeLinkGroups does not take a chain for a group", () => {
  const pairs = pairList([
    [0, 1, 0.9],
    [1, 2, 0.88],
  ]);
  expect(completeLinkGroups({ size: 3, pairs, threshold: 0.83 })).toEqual([[0, 1]]);
});

test("completeLinkGroups groups items that are all alike and leaves single ones out", () => {
  const pairs = pairList([
    [0, 2, 0.9],
    [0, 4, 0.85],
    [2, 4, 0.84],
    [1, 3, 0.82],
  ]);
  expect(completeLinkGroups({ size: 6, pairs, threshold: 0.83 })).toEqual([[0, 2, 4]]);
  expect(completeLinkGroups({ size: 6, pairs, threshold: 0.82 })).toEqual([
    [0, 2, 4],
    [1, 3],
  ]);
  expect(completeLinkGroups({ size: 6, pairs: pairList([]), threshold: 0.8 })).toEqual([]);
});

test("completeLinkGroups merges the most similar first, and of equals the lowest keys", () => {
  const path: readonly Triple[] = [
    [0, 1, 0.9],
    [1, 2, 0.95],
  ];
  expect(completeLinkGroups({ size: 3, pairs: pairList(path), threshold: 0.8 })).toEqual([[1, 2]]);
  const even = pairList(path.map(([a, b]) => [a, b, 0.9]));
  expect(completeLinkGroups({ size: 3, pairs: even, threshold: 0.8 })).toEqual([[0, 1]]);
  const keys = ["z", "m", "a"];
  expect(completeLinkGroups({ size: 3, pairs: even, threshold: 0.8, keys })).toEqual([[2, 1]]);
});

test("completeLinkGroups never lets a blocked pair share a group", () => {
  const pairs = pairList([
    [0, 1, 0.99],
    [0, 2, 0.9],
    [1, 2, 0.9],
  ]);
  const blocked: Parameters<typeof completeLinkGroups>[0]["blocked"] = (a, b) => a + b === 1;
  expect(completeLinkGroups({ size: 3, pairs, threshold: 0.8, blocked })).toEqual([[0, 2]]);
});

test("completeLinkGroups asks about blocked pairs at most once each", () => {
  const size = 30;
  const triples: Triple[] = [];
  for (let a = 0; a < size; a++) for (let b = a + 1; b < size; b++) triples.push([a, b, 0.9]);
  const asked: string[] = [];
  const blocked: Similarity = (a, b) => asked.push([a, b].sort((x, y) => x - y).join("-"));
  completeLinkGroups({
    size,
    pairs: pairList(triples),
    threshold: 0.8,
    blocked: (a, b) => blocked(a, b) > 0 && (a + b) % 7 === 0,
  });
  expect(new Set(asked).size).toBe(asked.length);
});

test("completeLinkGroups counts weights towards the size of a group", () => {
  const pairs = pairList([
    [0, 1, 0.9],
    [0, 2, 0.9],
    [1, 2, 0.9],
  ]);
  const options = { size: 3, pairs, threshold: 0.8 };
  expect(completeLinkGroups({ ...options, maxSize: 2 })).toEqual([[0, 1]]);
  const weight = (item: number): number => (item === 0 ? 2 : 1);
  expect(completeLinkGroups({ ...options, maxSize: 2, weight })).toEqual([[1, 2]]);
  expect(completeLinkGroups({ ...options, maxSize: 4, weight })).toEqual([[0, 1, 2]]);
});

test("averageLinkGroups joins a chain whose mean is high enough, counting what the list leaves out", () => {
  const pairs = pairList([
    [0, 1, 0.9],
    [1, 2, 0.8],
  ]);
  const withMissing = (missing: number): Groups => {
    const similarity: Similarity = (a, b) => (a + b === 3 ? 0.8 : a + b === 1 ? 0.9 : missing);
    return averageLinkGroups({ size: 3, pairs, threshold: 0.65, similarity });
  };
  expect(withMissing(0.5)).toEqual([[0, 1, 2]]);
  expect(withMissing(0.45)).toEqual([[0, 1]]);
});

test("averageLinkGroups keeps blocked pairs and sizes, also when the groups grow", () => {
  const triples: readonly Triple[] = [
    [0, 1, 0.9],
    [0, 2, 0.8],
    [1, 2, 0.8],
    [2, 3, 0.7],
  ];
  const similarity: Similarity = () => 0.7;
  const options = { size: 4, pairs: pairList(triples), threshold: 0.6, similarity };
  expect(averageLinkGroups(options)).toEqual([[0, 1, 2, 3]]);
  expect(averageLinkGroups({ ...options, maxSize: 2 })).toEqual([
    [0, 1],
    [2, 3],
  ]);
  const blocked = (a: number, b: number): boolean => a + b === 2 && a !== b;
  expect(averageLinkGroups({ ...options, blocked })).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

test("cohesion is the mean over all pairs", () => {
  expect(cohesion([0, 1, 2], (a, b) => (a + b) / 10)).toBeCloseTo(0.2);
  expect(cohesion([5], () => 0)).toBe(1);
});

/** A symmetric table of similarities in sixteenths: ties are common, and sums are exact in any order. */
const tables = fc.integer({ min: 2, max: 14 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    values: fc.array(fc.integer({ min: 8, max: 16 }), {
      minLength: size * size,
      maxLength: size * size,
    }),
    blocked: fc.array(fc.nat({ max: size * size - 1 }), { maxLength: 4 }),
    maxSize: fc.constantFrom(3, 12, Number.POSITIVE_INFINITY),
    order: fc.shuffledSubarray(
      Array.from({ length: size }, (_, item) => item),
      { minLength: size },
    ),
  }),
);
type Table = (typeof tables extends fc.Arbitrary<infer T> ? T : never) & {
  readonly tieBreak?: number;
};

const cell = ({ size }: Table, a: number, b: number): number =>
  Math.min(a, b) * size + Math.max(a, b);
const similarityIn = (table: Table, a: number, b: number): number => {
  const at = cell(table, a, b);
  return (table.values[at] ?? 0) / 16 + (table.tieBreak ?? 0) * Math.sqrt(at + 2);
};

/** Groups of the items as they stand in `order`, told as original items. */
function groupsOf(table: Table, order: readonly number[], link: "complete" | "average"): Groups {
  const { size } = table;
  const item = (at: number): number => order[at] ?? 0;
  const triples: Triple[] = [];
  for (let a = 0; a < size; a++) {
    for (let b = a + 1; b < size; b++) {
      const value = similarityIn(table, item(a), item(b));
      if (value >= 0.7) triples.push([a, b, value]);
    }
  }
  const options = {
    size,
    pairs: pairList(triples),
    threshold: 0.75,
    keys: order.map((original) => String.fromCharCode(97 + original)),
    maxSize: table.maxSize,
    blocked: (a: number, b: number) => table.blocked.includes(cell(table, item(a), item(b))),
  };
  const similarity: Similarity = (a, b) => similarityIn(table, item(a), item(b));
  const groups =
    link === "complete"
      ? completeLinkGroups(options)
      : averageLinkGroups({ ...options, similarity });
  return groups.map((members) => members.map(item));
}

test("groups do not depend on the order of items", () => {
  fc.assert(
    fc.property(tables, fc.constantFrom("complete" as const, "average" as const), (table, link) => {
      const natural = Array.from({ length: table.size }, (_, item) => item);
      expect(groupsOf(table, table.order, link)).toEqual(groupsOf(table, natural, link));
    }),
  );
});

test("complete-link groups agree with the textbook algorithm, and average-link groups too", () => {
  fc.assert(
    fc.property(tables, fc.constantFrom("complete" as const, "average" as const), (table, link) => {
      const natural = Array.from({ length: table.size }, (_, item) => item);
      // Means are rounded in another order than the textbook's, so equal ones could part: here none are equal.
      const distinct = link === "average" ? { ...table, tieBreak: 1e-5 } : table;
      expect(groupsOf(distinct, natural, link)).toEqual(textbookGroups(distinct, link));
    }),
    { numRuns: 300 },
  );
});

interface Link {
  readonly left: readonly number[];
  readonly right: readonly number[];
}

/** Looks at every pair of clusters in every round. */
function textbookGroups(table: Table, link: "complete" | "average"): Groups {
  let clusters = Array.from({ length: table.size }, (_, item): readonly number[] => [item]);
  for (let best = closest(table, clusters, link); best; best = closest(table, clusters, link)) {
    const { left, right } = best;
    const union = [...left, ...right].sort((a, b) => a - b);
    const others = clusters.filter((members) => members !== left && members !== right);
    clusters = [...others, union].sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  }
  return clusters.filter((members) => members.length > 1);
}

/** The first of the most similar two clusters of at least 0.75. */
function closest(
  table: Table,
  clusters: readonly (readonly number[])[],
  link: "complete" | "average",
): Link | undefined {
  const [best] = clusters
    .flatMap((left, at) => clusters.slice(at + 1).map((right) => ({ left, right })))
    .map((candidate) => ({ ...candidate, value: linkValue(table, candidate, link) }))
    .filter(({ value }) => value >= 0.75)
    .sort((a, b) => b.value - a.value);
  return best;
}

function linkValue(table: Table, { left, right }: Link, link: "complete" | "average"): number {
  if (left.length + right.length > table.maxSize) return 0;
  const pairs = left.flatMap((a) => right.map((b) => [a, b] as const));
  if (pairs.some(([a, b]) => table.blocked.includes(cell(table, a, b)))) return 0;
  const values = pairs.map(([a, b]) => similarityIn(table, a, b));
  if (link === "complete") return Math.min(...values);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
