import { expect, test } from "vitest";
import { verifyMerge } from "../../../src/text/merge-check/verify-merge.ts";
import { shippedRules } from "./rules.ts";

const rules = shippedRules();

test.each([
  ["The user likes 🍎 for breakfast.", "The user likes 🍌 for breakfast."],
  ["Deploy status ✅", "Deploy status ❌"],
  ["Reviewed by 👩‍💻 on the team.", "Reviewed by 👨‍💻 on the team."],
  ["Home flag 🇫🇷", "Home flag 🇩🇪"],
])("%s and %s are not merged unseen, either way round", (a, b) => {
  expect(rules.conflicts(a, b).map((conflict) => conflict.kind)).toEqual(["unsure"]);
  expect(rules.conflicts(b, a).map((conflict) => conflict.kind)).toEqual(["unsure"]);
});

test.each([
  ["Deploy status is green ✅", "Deploy status is green"],
  ["Deploy status is green ✅", "deploy status is green ✅."],
])("%s and %s differ in no sign that only the other has", (a, b) => {
  expect(rules.conflicts(a, b)).toEqual([]);
});

test("a merge that drops a sign is found to lose something", () => {
  const sources = ["The build is green ✅.", "The build is green."].map((content) => ({
    content,
    createdAt: 0,
  }));
  expect(verifyMerge({ sources, merged: "The build is green." })).not.toEqual([]);
  expect(verifyMerge({ sources, merged: "The build is green ✅." })).toEqual([]);
});
