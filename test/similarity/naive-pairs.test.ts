import { expect, test } from "vitest";
import { findPairsNaively, type PairQuery } from "../../src/similarity/naive-pairs.ts";
import { matrixOf } from "../../src/similarity/vectors.ts";

/** Rows 0 and 2 are alike, 1 is zero, 3 is between 0 and 4. */
const matrix = matrixOf(
  [
    Float32Array.of(1, 0),
    undefined,
    Float32Array.of(1, 0),
    Float32Array.of(0.8, 0.6),
    Float32Array.of(0, 1),
  ],
  2,
);

async function pairsOf(query: PairQuery): Promise<readonly string[]> {
  const found: string[] = [];
  await findPairsNaively(matrix, query, (i, j, value) =>
    found.push(`${i}-${j} ${value.toFixed(2)}`),
  );
  return found;
}

test("findPairsNaively finds every pair at or above the threshold, in order, and none of a zero row", async () => {
  expect(await pairsOf({ threshold: 0.7 })).toEqual(["0-2 1.00", "0-3 0.80", "2-3 0.80"]);
  expect(await pairsOf({ threshold: -1 })).toHaveLength(6);
});

test("findPairsNaively takes a pair exactly at the threshold", async () => {
  expect(await pairsOf({ threshold: 1 })).toEqual(["0-2 1.00"]);
});

test("findPairsNaively against changed rows keeps pairs with at least one of them", async () => {
  expect(await pairsOf({ threshold: 0.5, against: [3] })).toEqual([
    "0-3 0.80",
    "2-3 0.80",
    "3-4 0.60",
  ]);
  expect(await pairsOf({ threshold: 0.5, against: [] })).toEqual([]);
});

test("findPairsNaively stops with the signal's reason", async () => {
  const reason = new Error("enough");
  await expect(pairsOf({ threshold: 0, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
