import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type AllPairsQuery,
  findSimilarPairs,
  forEachSimilarPair,
} from "../../src/similarity/all-pairs.ts";
import { findPairsNaively } from "../../src/similarity/naive-pairs.ts";
import { createPairCollector, type PairList } from "../../src/similarity/pair-list.ts";
import { matrixOf, type VectorMatrix } from "../../src/similarity/vectors.ts";
import { blend, randomMatrix, randomUnit, seededRandom } from "./vector-fixtures.ts";

const kernels = [
  { name: "inline", query: { engine: "inline" } },
  { name: "one thread", query: { engine: "threads", threads: 1 } },
  { name: "two threads", query: { engine: "threads", threads: 2 } },
] as const;

async function naivePairs(matrix: VectorMatrix, query: AllPairsQuery): Promise<PairList> {
  const collector = createPairCollector();
  await findPairsNaively(matrix, query, collector.add);
  return collector.list();
}

/** Pairs, order and cosines, bit for bit. */
async function expectSamePairs(matrix: VectorMatrix, query: AllPairsQuery): Promise<PairList> {
  const { pairs, note } = await findSimilarPairs(matrix, query);
  expect(note).toBeUndefined();
  expect(pairs).toEqual(await naivePairs(matrix, query));
  return pairs;
}

describe.each(kernels)("the kernel ($name)", ({ query }) => {
  test.each([
    { rows: 193, dimensions: 256, threshold: 0.83 },
    { rows: 600, dimensions: 256, threshold: 0.5 },
    { rows: 1023, dimensions: 384, threshold: 0.83 },
    { rows: 300, dimensions: 64, threshold: 0.3 },
    { rows: 300, dimensions: 10, threshold: 0.9 },
    { rows: 257, dimensions: 1, threshold: 0.9 },
    { rows: 150, dimensions: 256, threshold: 0.999999 },
    { rows: 90, dimensions: 256, threshold: 0 },
    { rows: 90, dimensions: 33, threshold: -1 },
  ])(
    "finds the pairs of the plain loop: $rows rows of $dimensions at $threshold",
    async (shape) => {
      const matrix = randomMatrix({ ...shape, seed: shape.rows });
      const pairs = await expectSamePairs(matrix, { ...query, threshold: shape.threshold });
      expect(pairs.count).toBeGreaterThan(0);
    },
  );

  test("finds the pairs of the plain loop with at least one changed row", async () => {
    const matrix = randomMatrix({ rows: 700, dimensions: 256, seed: 3 });
    for (const against of [
      [],
      [0],
      [699, 5, 5, 44],
      Array.from({ length: 301 }, (_, n) => n * 2),
    ]) {
      await expectSamePairs(matrix, { ...query, threshold: 0.6, against });
    }
  });

  test("finds all pairs of rows that are all alike", async () => {
    const one = randomUnit(seededRandom(1), 256);
    const matrix = matrixOf(
      Array.from({ length: 515 }, () => one),
      256,
    );
    const { pairs } = await findSimilarPairs(matrix, { ...query, threshold: 0.9 });
    expect(pairs.count).toBe((515 * 514) / 2);
  });

  test("finds nothing in no rows, one row and zero rows", async () => {
    for (const rows of [0, 1, 40]) {
      const matrix = { rows, dimensions: 256, data: new Float32Array(rows * 256) };
      expect((await findSimilarPairs(matrix, { ...query, threshold: 0 })).pairs.count).toBe(0);
    }
  });

  test("stops with the signal's reason, before or while it runs", async () => {
    const reason = new Error("enough");
    const matrix = randomMatrix({ rows: 2000, dimensions: 64, seed: 9 });
    const aborted = { ...query, threshold: 0.8, signal: AbortSignal.abort(reason) };
    await expect(findSimilarPairs(matrix, aborted)).rejects.toBe(reason);

    const controller = new AbortController();
    const running = forEachSimilarPair(
      matrix,
      { ...query, threshold: 0.5, signal: controller.signal },
      () => controller.abort(reason),
    );
    await expect(running).rejects.toBe(reason);
  });

  test("passes on what a callback throws", async () => {
    const matrix = randomMatrix({ rows: 300, dimensions: 64, seed: 9 });
    const failing = forEachSimilarPair(matrix, { ...query, threshold: 0.5 }, () => {
      throw new Error("full");
    });
    await expect(failing).rejects.toThrow("full");
  });
});

test("the kernel decides pairs at the very threshold as the plain loop does", async () => {
  const random = seededRandom(21);
  const base = randomUnit(random, 256);
  const near = Array.from({ length: 400 }, () =>
    blend(base, randomUnit(random, 256), 0.83 + (random() - 0.5) * 1e-4),
  );
  const matrix = matrixOf([base, ...near], 256);
  const exact = await naivePairs(matrix, { threshold: -1, against: [0] });
  for (const threshold of exact.similarity.slice(0, 12)) {
    await expectSamePairs(matrix, { threshold, engine: "inline" });
  }
});

test("the kernel agrees with the plain loop for any vectors", async () => {
  const shapes = fc.record({
    rows: fc.integer({ min: 2, max: 120 }),
    dimensions: fc.integer({ min: 1, max: 150 }),
    seed: fc.nat(),
    zero: fc.constantFrom(0, 0.3),
    copied: fc.constantFrom(0, 0.4),
    near: fc.constantFrom(0, 0.5),
    scale: fc.constantFrom(1, 1e-3, 50),
    threshold: fc.double({ min: -1, max: 1, noNaN: true }),
    against: fc.option(fc.array(fc.nat({ max: 119 })), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(shapes, async ({ scale, threshold, against, ...shape }) => {
      const matrix = randomMatrix(shape);
      // Rows need not have unit length, nor their energy spread evenly over the dimensions.
      const data = matrix.data.map((x, at) => (x * scale) / (1 + (at % shape.dimensions)));
      const changed = against === undefined ? {} : { against };
      await expectSamePairs({ ...matrix, data }, { threshold, engine: "inline", ...changed });
    }),
    { numRuns: 60 },
  );
});

test("findSimilarPairs gives the same pairs whatever it chooses by size", async () => {
  for (const rows of [40, 700]) {
    await expectSamePairs(randomMatrix({ rows, dimensions: 256, seed: rows }), { threshold: 0.7 });
  }
});

test("forEachSimilarPair hands pairs on in order of rows", async () => {
  const matrix = randomMatrix({ rows: 900, dimensions: 64, seed: 5 });
  const seen: number[] = [];
  const query = { threshold: 0.5, engine: "threads", threads: 2 } as const;
  await forEachSimilarPair(matrix, query, (i, j) => seen.push(i * 1000 + j));
  expect(seen.length).toBeGreaterThan(100);
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
});

test("findSimilarPairs refuses vectors that are not finite", async () => {
  const matrix = matrixOf([Float32Array.of(1, Number.NaN)], 2);
  await expect(findSimilarPairs(matrix, { threshold: 0.5 })).rejects.toThrow("not finite");
});
