import fc from "fast-check";
import { expect, test } from "vitest";
import { findSimilarPairs } from "../../src/similarity/all-pairs.ts";
import { findNearestPairs } from "../../src/similarity/nearest-pairs.ts";
import { carryLists, GONE, type NeighbourLists } from "../../src/similarity/neighbour-lists.ts";
import { matrixOf } from "../../src/similarity/vectors.ts";

/** Few directions, so that equal similarities and crowded rows are common. */
const directions = fc.tuple(
  fc.integer({ min: -2, max: 2 }),
  fc.integer({ min: -2, max: 2 }),
  fc.integer({ min: 1, max: 2 }),
);

function vectorOf([x, y, z]: readonly [number, number, number]): Float32Array {
  const length = Math.hypot(x, y, z);
  return Float32Array.of(x / length, y / length, z / length, 0);
}

const matrices = fc
  .array(directions, { minLength: 2, maxLength: 40 })
  .map((rows) => matrixOf(rows.map(vectorOf), 4));

/** Backwards, so that order of keys and of rows cannot be mistaken for each other. */
function keysFor(rows: number): readonly string[] {
  return Array.from({ length: rows }, (_, row) => String.fromCharCode(0x7a - row));
}

test("findNearestPairs keeps what is among the nearest of either row, and nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(matrices, fc.integer({ min: 1, max: 4 }), async (matrix, nearest) => {
      const all = (await findSimilarPairs(matrix, { threshold: 0.5 })).pairs;
      const listed = Array.from({ length: all.count }, (_, p) => ({
        first: all.first[p] ?? 0,
        second: all.second[p] ?? 0,
        similarity: all.similarity[p] ?? 0,
      }));
      const ranks = (row: number, neighbour: number): boolean =>
        listed
          .filter(({ first, second }) => first === row || second === row)
          .map(({ first, second, similarity }) => ({
            other: first === row ? second : first,
            similarity,
          }))
          .sort((a, b) => b.similarity - a.similarity || b.other - a.other)
          .slice(0, nearest)
          .some(({ other }) => other === neighbour);
      const expected = listed.filter(
        ({ first, second }) => ranks(first, second) || ranks(second, first),
      );
      const { pairs } = await findNearestPairs(matrix, {
        threshold: 0.5,
        nearest,
        keys: keysFor(matrix.rows),
      });
      expect([...pairs.first]).toEqual(expected.map(({ first }) => first));
      expect([...pairs.second]).toEqual(expected.map(({ second }) => second));
      expect([...pairs.similarity]).toEqual(expected.map(({ similarity }) => similarity));
    }),
    { numRuns: 100 },
  );
});

test("findNearestPairs stays small where everything is like everything", async () => {
  const row = Float32Array.of(1, 0, 0, 0);
  const matrix = matrixOf(
    Array.from({ length: 500 }, () => row),
    4,
  );
  const { pairs } = await findNearestPairs(matrix, {
    threshold: 0.9,
    nearest: 12,
    keys: Array.from({ length: 500 }, (_, row) => `row ${row}`),
  });
  expect(pairs.count).toBeLessThanOrEqual(500 * 12);
});

/** Texts by name; each step of a history is the set of names that are there, in an order of its own. */
const histories = fc.array(directions, { minLength: 2, maxLength: 24 }).chain((vectors) => {
  const names = vectors.map((_, at) => at);
  const there = fc.shuffledSubarray(names, { minLength: 1 });
  return fc.record({
    vectors: fc.constant(vectors),
    steps: fc.array(there, { minLength: 2, maxLength: 6 }),
    nearest: fc.integer({ min: 1, max: 3 }),
    spare: fc.integer({ min: 0, max: 2 }),
  });
});

test("findNearestPairs finds the same whatever earlier searches have left for it", async () => {
  await fc.assert(
    fc.asyncProperty(histories, async ({ vectors, steps, nearest, spare }) => {
      let earlier:
        | { readonly names: readonly number[]; readonly lists: NeighbourLists }
        | undefined;
      for (const names of steps) {
        const matrix = matrixOf(
          names.map((name) => vectorOf(vectors[name] ?? [0, 0, 1])),
          4,
        );
        const query = {
          threshold: 0.5,
          nearest,
          kept: nearest + spare,
          keys: names.map((name) => String.fromCharCode(0x61 + ((name * 7) % 24))),
        };
        const before = earlier;
        const known = before && {
          known: carryLists(before.lists, {
            rows: names.length,
            earlierRow: Int32Array.from(names, (name) => {
              const row = before.names.indexOf(name);
              return row === -1 ? GONE : row;
            }),
          }),
        };
        const fresh = await findNearestPairs(matrix, query);
        const found = await findNearestPairs(matrix, { ...query, ...known });
        expect(found.pairs).toEqual(fresh.pairs);
        earlier = { names, lists: found.lists };
      }
    }),
    { numRuns: 300 },
  );
});

test("findNearestPairs compares only what is new with the others, and what has lost its nearest", async () => {
  const vectors = Array.from({ length: 60 }, (_, at) => vectorOf([at % 3, at % 5, 1]));
  const keys = vectors.map((_, at) => `row ${at}`);
  const query = { threshold: 0.5, nearest: 3, kept: 5 };
  const { lists } = await findNearestPairs(matrixOf(vectors.slice(0, 59), 4), {
    ...query,
    keys: keys.slice(0, 59),
  });
  const earlierRow = Int32Array.from(vectors, (_, at) => (at === 59 ? GONE : at));
  const known = carryLists(lists, { rows: 60, earlierRow });
  const again = await findNearestPairs(matrixOf(vectors, 4), { ...query, keys, known });
  expect(again.searched).toBe(1);
});
