import { expect, test } from "vitest";
import { cosine, dot, matrixOf, rowLengths } from "../../src/similarity/vectors.ts";

test("dot sums products in float64", () => {
  expect(dot(Float32Array.of(1, 2, 3), Float32Array.of(4, 5, 6))).toBe(32);
});

test("cosine ignores lengths, stays within one and is zero for a zero vector", () => {
  const a = Float32Array.of(0.1, 0.7, 0.3);
  expect(
    cosine(
      a,
      a.map((x) => x * 7),
    ),
  ).toBeCloseTo(1, 6);
  expect(cosine(a, a)).toBeLessThanOrEqual(1);
  expect(
    cosine(
      a,
      a.map((x) => -x),
    ),
  ).toBeGreaterThanOrEqual(-1);
  expect(cosine(a, new Float32Array(3))).toBe(0);
});

test("matrixOf lays vectors out row by row and leaves missing ones zero", () => {
  const matrix = matrixOf([Float32Array.of(1, 2), undefined, Float32Array.of(3, 4)], 2);
  expect(matrix).toEqual({ rows: 3, dimensions: 2, data: Float32Array.of(1, 2, 0, 0, 3, 4) });
  expect([...rowLengths(matrix)]).toEqual([Math.sqrt(5), 0, 5]);
});

test("matrixOf refuses a vector of another size", () => {
  expect(() => matrixOf([Float32Array.of(1, 2, 3)], 2)).toThrow(
    "vector 0: expected 2 dimensions, got 3",
  );
});

test("rowLengths refuses a value that is not finite", () => {
  expect(() => rowLengths(matrixOf([Float32Array.of(1, Number.NaN)], 2))).toThrow("not finite");
});
