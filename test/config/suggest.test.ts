import { expect, test } from "vitest";
import { suggest } from "../../src/config/suggest.ts";

test.each([
  ["decya", "decay"],
  ["Clutser", "cluster"],
  ["relation", "relations"],
  ["mrge", "merge"],
  ["xyzzy", undefined],
  ["", undefined],
])("suggest finds what was meant by %j: %s", (word, meant) => {
  expect(suggest(word, ["decay", "cluster", "merge", "promote", "relations"])).toBe(meant);
});
