import { expect, test } from "vitest";
import { makeStore } from "../../bench/quality/make-store.ts";
import { findLosses, measureLosses } from "../../bench/quality/measure-losses.ts";
import { readOwnData } from "../../bench/quality/own-data.ts";
import { loadProduct } from "../../bench/quality/product.ts";
import { aMemory } from "../builders.ts";

test("no sentence of the demo's memories is lost, with every proposed merge approved", async () => {
  const [demo] = (await readOwnData()).stores;
  const { store, runDeps } = await makeStore(demo?.memories ?? [], await loadProduct());
  const losses = await measureLosses(store, runDeps);
  expect(losses.lost).toEqual([]);
  expect(losses.merged).toBeGreaterThan(30);
  expect(losses.sentences).toBeGreaterThan(losses.memories);
});

const source = aMemory({ id: "a", content: "Kim uses 3 workers. Bo called yesterday." });
const merged = (content: string) => [
  { ...source, status: "archived", archivedReason: "merged", supersededBy: "b" } as const,
  aMemory({ id: "b", content, leaves: ["a"] }),
];

test.each([
  ["word for word", "Kim uses 3 workers. Bo called yesterday."],
  ["with detail and a date", "Kim uses 3 fast workers. Bo called yesterday (2026-03-01)."],
  ["in another order, one a line", "Bo called yesterday\nKim uses the 3 workers"],
])("a sentence is not lost where it stands %s", (_how, content) => {
  expect(findLosses([source], merged(content)).lost).toEqual([]);
});

test.each([
  ["a number", "Kim uses workers. Bo called yesterday."],
  ["the words for when", "Kim uses 3 workers. Bo called (2026-03-01)."],
  ["itself", "Kim uses 3 workers."],
])("a sentence is lost where the merged memory lacks %s", (_what, content) => {
  expect(findLosses([source], merged(content)).lost).toHaveLength(1);
});

test("a sentence is lost where its memory leads nowhere, and kept where it was archived whole", () => {
  const archived = { ...source, status: "archived", archivedReason: "decayed" } as const;
  expect(findLosses([source], [archived]).lost).toEqual([]);
  expect(findLosses([source], []).lost).toHaveLength(2);
});
