import { readFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadStaticEmbedder } from "../../src/adapters/static-embedder/load-static-embedder.ts";
import { fitProfile, type LabelledCosine } from "../../src/similarity/fit-profile.ts";
import { createPairCollector } from "../../src/similarity/pair-list.ts";
import {
  calibrate,
  calibratePairs,
  cosineFor,
  parseProfile,
  type SimilarityProfile,
  unfittedProfile,
} from "../../src/similarity/profile.ts";

const profile: SimilarityProfile = {
  version: 1,
  embedder: "test",
  fitted: true,
  points: [
    [-1, -1],
    [0, 0],
    [0.7, 0.65],
    [0.86, 0.83],
    [1, 1],
  ],
  errors: [],
};

test("calibrate hits the anchors exactly and lies on straight lines between them", () => {
  expect(calibrate(profile, 0.86)).toBe(0.83);
  expect(calibrate(profile, 0.7)).toBe(0.65);
  expect(calibrate(profile, 0.35)).toBeCloseTo(0.325, 12);
  expect([calibrate(profile, -1), calibrate(profile, 1), calibrate(profile, 1.001)]).toEqual([
    -1, 1, 1,
  ]);
  expect(() => calibrate(profile, Number.NaN)).toThrow("NaN");
});

test("calibrate is monotone and cosineFor undoes it", () => {
  const cosines = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(cosines, cosines, (a, b) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      expect(calibrate(profile, low)).toBeLessThanOrEqual(calibrate(profile, high));
      expect(cosineFor(profile, calibrate(profile, a))).toBeCloseTo(a, 9);
    }),
  );
  expect(cosineFor(profile, 0.83)).toBe(0.86);
});

test("calibratePairs replaces cosines and nothing else", () => {
  const collector = createPairCollector();
  collector.add(3, 1, 0.86);
  expect(calibratePairs(profile, collector.list())).toEqual({
    count: 1,
    first: Uint32Array.of(1),
    second: Uint32Array.of(3),
    similarity: Float64Array.of(0.83),
  });
});

test("an unfitted profile leaves cosines alone and says that it is unfitted", () => {
  const unfitted = unfittedProfile("other@1");
  expect(unfitted.fitted).toBe(false);
  expect(calibrate(unfitted, 0.83)).toBeCloseTo(0.83, 12);
  expect(parseProfile(unfitted)).toEqual(unfitted);
});

test("parseProfile refuses points that do not rise from -1 to 1", () => {
  for (const points of [
    [
      [-1, -1],
      [0.9, 0.8],
      [0.8, 0.9],
      [1, 1],
    ],
    [
      [-1, -1],
      [0.5, 0.5],
      [0.6, 0.5],
      [1, 1],
    ],
    [
      [0, 0],
      [1, 1],
    ],
  ]) {
    expect(() => parseProfile({ ...profile, points })).toThrow("both rise from -1 to 1");
  }
});

/** Cosines 0, 0.001 … 0.999 with one label. */
const ramp = (label: LabelledCosine["label"], from: number, to: number): LabelledCosine[] =>
  Array.from({ length: 1001 }, (_, n) => ({ label, cosine: from + ((to - from) * n) / 1000 }));

test("fitProfile puts its anchors where the rates are met, whatever contradictions look like", () => {
  const pairs = [
    ...ramp("duplicate", 0.6, 1),
    ...ramp("related", 0, 0.9),
    ...ramp("contradiction", 0.5, 1),
  ];
  const fitted = fitProfile(pairs, "test@1");
  expect(fitted.points).toEqual([
    [-1, -1],
    [0, 0],
    [0.62, 0.65],
    [0.765, 0.83],
    [0.893, 0.85],
    [1, 1],
  ]);
  expect(fitted.errors.map(({ falsePositiveRate }) => falsePositiveRate)).toEqual([
    0.312, 0.151, 0.008,
  ]);
  expect(fitted.errors[0]).toMatchObject({ falseNegativeRate: 0.05, contradictionRate: 0.76 });
  expect(fitProfile([...pairs].reverse(), "test@1")).toEqual(fitted);
  expect(parseProfile(fitted)).toEqual(fitted);
});

test("fitProfile keeps its anchors in order where duplicates stand far above the rest", () => {
  const fitted = fitProfile([...ramp("duplicate", 0.9, 1), ...ramp("unrelated", 0, 0.2)], "test@1");
  expect(fitted.points.slice(2, 5).map(([cosine]) => cosine)).toEqual([0.905, 0.91, 0.915]);
});

test("fitProfile refuses pairs that it cannot learn from", () => {
  expect(() => fitProfile(ramp("duplicate", 0, 1), "test@1")).toThrow(
    "expected duplicates and related",
  );
  const same = [...ramp("duplicate", 0.99, 1), ...ramp("related", 0.99, 1)];
  expect(() => fitProfile(same, "test@1")).toThrow("do not separate");
});

test("the stored profile belongs to the built-in embedder and is fitted", async () => {
  const { id } = await loadStaticEmbedder();
  const file = new URL(`../../assets/profiles/${id}.json`, import.meta.url);
  const stored = parseProfile(JSON.parse(await readFile(file, "utf8")));
  expect(stored).toMatchObject({ embedder: id, fitted: true });
  expect(cosineFor(stored, 0.65)).toBeLessThan(cosineFor(stored, 0.83));
  expect(stored.errors.map(({ similarity }) => similarity)).toEqual([0.65, 0.83, 0.85]);
});
