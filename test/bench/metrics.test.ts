import fc from "fast-check";
import { expect, test } from "vitest";
import {
  areaUnderCurve,
  averagePrecision,
  clusterAgreement,
  rankCorrelation,
  shareOf,
} from "../../bench/quality/metrics.ts";

const ranked = (...marks: readonly boolean[]) =>
  marks.map((isPositive, at) => ({ score: marks.length - at, isPositive }));

test("averagePrecision is the mean precision at each positive", () => {
  expect(averagePrecision(ranked(true, true, false))).toBe(1);
  expect(averagePrecision(ranked(true, false, true))).toBeCloseTo((1 + 2 / 3) / 2, 12);
  expect(averagePrecision(ranked(false, false))).toBeNull();
});

test("averagePrecision of rows that all score the same is the share of positives, whatever their order", () => {
  fc.assert(
    fc.property(fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }), (marks) => {
      const rows = marks.map((isPositive) => ({ score: 0.5, isPositive }));
      const positives = marks.filter(Boolean).length;
      const value = averagePrecision(rows);
      if (positives === 0) expect(value).toBeNull();
      else expect(value).toBeCloseTo(positives / marks.length, 12);
    }),
  );
});

test("areaUnderCurve counts the pairs that are in order, ties as half", () => {
  expect(areaUnderCurve([0.9, 0.5], [0.5, 0.1])).toBe((1 + 1 + 0.5 + 1) / 4);
  expect(areaUnderCurve([], [1])).toBeNull();
});

test("areaUnderCurve of two sets and of the two exchanged add up to one", () => {
  const scores = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(scores, scores, (a, b) => {
      expect((areaUnderCurve(a, b) ?? 0) + (areaUnderCurve(b, a) ?? 0)).toBeCloseTo(1, 12);
    }),
  );
});

test("rankCorrelation sees order alone", () => {
  expect(rankCorrelation([1, 2, 3, 4], [10, 100, 1000, 10_000])).toBeCloseTo(1, 12);
  expect(rankCorrelation([1, 2, 3, 4], [4, 3, 2, 1])).toBeCloseTo(-1, 12);
  expect(rankCorrelation([1, 1, 1], [1, 2, 3])).toBeNull();
});

test("clusterAgreement gives the B-cubed of the worked example of Bagga and Baldwin", () => {
  // Truth: 1–5, 6–7, 8–12. Response: 1–5 and 6–12.
  const truth = "aaaaabbccccc".split("");
  const found = "xxxxxyyyyyyy".split("");
  const { b3 } = clusterAgreement(found, truth);
  expect(b3.p).toBeCloseTo(0.762, 3);
  expect(b3.r).toBe(1);
});

test("clusterAgreement is 1 for the same partition under other names", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 30 }), (of) => {
      const { b3, ari } = clusterAgreement(
        of.map((cluster) => `found ${cluster}`),
        of.map((cluster) => `true ${cluster}`),
      );
      expect([b3.p, b3.r, b3.f1].every((value) => Math.abs(value - 1) < 1e-9)).toBe(true);
      expect(ari).toBeCloseTo(1, 12);
    }),
  );
});

test("clusterAgreement gives an adjusted Rand index below zero to a partition worse than chance", () => {
  expect(clusterAgreement(["x", "y", "x", "y"], ["a", "a", "b", "b"]).ari).toBeCloseTo(-0.5, 12);
});

test("shareOf nothing is null", () => {
  expect(shareOf(0, 0)).toBeNull();
  expect(shareOf(1, 4)).toBe(0.25);
});
