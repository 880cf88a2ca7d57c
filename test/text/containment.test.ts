import { expect, test } from "vitest";
import { containmentOf, contains } from "../../src/text/containment.ts";

test.each([
  ["Ola likes tea.", "ola likes TEA", "equal"],
  ["It rains. Ola sleeps.", "Ola sleeps. It rains.", "equal"],
  ["Ola likes tea.", "Ola owns a kettle. Ola likes tea.", "a_in_b"],
  ["Ola owns a kettle. Ola likes tea.", "Ola likes tea", "b_in_a"],
  ["Ola likes tea.", "Ola likes tea and coffee.", "none"],
  ["Ola likes tea?", "Ola likes tea.", "none"],
  ["", "Ola likes tea.", "none"],
  ["", "", "none"],
])("containmentOf %j and %j is %s", (a, b, expected) => {
  expect(containmentOf(a, b)).toBe(expected);
});

test("contains does not take a part of a sentence for the sentence", () => {
  expect(contains("Ola said that Kim left.", "Kim left.")).toBe(false);
});
