import fc from "fast-check";
import { expect, test } from "vitest";
import { bm25Scores } from "../../src/text/bm25.ts";
import { lemma, possibleStarts } from "../../src/text/lemma.ts";

test("bm25Scores rates a rare word above a common one and leaves documents without a match at 0", () => {
  const [both, common, none] = bm25Scores("green tea", [
    "she drinks green tea",
    "he drinks black tea",
    "the deploy failed",
  ]);
  expect(none).toBe(0);
  expect(common).toBeGreaterThan(0);
  expect(both).toBeGreaterThan(2 * (common ?? 0));
});

test("bm25Scores gives the textbook value", () => {
  // One of two documents of equal length holds the word once: ln(1 + 1.5/1.5) · 2.2/2.2.
  expect(bm25Scores("tea", ["tea now", "ale now"])).toEqual([Math.log(2), 0]);
});

test("bm25Scores prefers the shorter of two documents that hold the word equally often", () => {
  const [short, long] = bm25Scores("tea", ["tea now", "tea and a great many other words too"]);
  expect(short).toBeGreaterThan(long ?? 0);
});

test("bm25Scores of a query without words are all 0, and no documents give no scores", () => {
  expect(bm25Scores("?!", ["tea"])).toEqual([0]);
  expect(bm25Scores("tea", [])).toEqual([]);
});

test("bm25Scores finds a word in any of its forms", () => {
  const scores = bm25Scores("When did she buy the bikes?", [
    "She bought a bike.",
    "When did it rain?",
    "Biking is fun.",
  ]);
  expect(scores.map((score) => score > 0)).toEqual([true, false, true]);
});

test("bm25Scores takes a query of nothing but small words at its word", () => {
  expect(bm25Scores("who is it", ["it is Ann", "Bo"])[0]).toBeGreaterThan(0);
});

test("every word begins as one of the possible starts of its base form says", () => {
  const word = fc
    .tuple(
      fc.stringMatching(/^[a-z]{1,8}$/u),
      fc.constantFrom("", "s", "es", "ies", "ied", "ed", "ing", "'s", "sses", "ches", "xes"),
    )
    .map(([stem, ending]) => stem + ending);
  const irregular = fc.constantFrom("went", "bought", "children", "using", "is", "lives", "ran");
  fc.assert(
    fc.property(fc.oneof(word, irregular), (form) => {
      expect(possibleStarts(lemma(form)).some((start) => form.startsWith(start))).toBe(true);
    }),
    { numRuns: 500 },
  );
});
