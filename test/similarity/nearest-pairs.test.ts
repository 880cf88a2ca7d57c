import fc from "fast-check";
import { expect, test } from "vitest";
import { findSimilarPairs } from "../../src/similarity/all-pairs.ts";
import { findNearestPairs } from "../../src/similarity/nearest-pairs.ts";
import { matrixOf } from "../../src/similarity/vectors.ts";

/** Few directions, so that equal similarities and crowded rows are common. */
const matrices = fc
  .array(
    fc.tuple(
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: -2, max: 2 }),
      fc.integer({ min: 1, max: 2 }),
    ),
    {
      minLength: 2,
      maxLength: 40,
    },
  )
  .map((rows) =>
    matrixOf(
      rows.map(([x, y, z]) => {
        const length = Math.hypot(x, y, z);
        return Float32Array.of(x / length, y / length, z / length, 0);
      }),
      4,
    ),
  );

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
          .sort((a, b) => b.similarity - a.similarity || a.other - b.other)
          .slice(0, nearest)
          .some(({ other }) => other === neighbour);
      const expected = listed.filter(
        ({ first, second }) => ranks(first, second) || ranks(second, first),
      );
      const { pairs } = await findNearestPairs(matrix, { threshold: 0.5, nearest });
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
  const { pairs } = await findNearestPairs(matrix, { threshold: 0.9, nearest: 12 });
  expect(pairs.count).toBeLessThanOrEqual(500 * 12);
});
