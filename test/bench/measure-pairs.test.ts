import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { judgePairs, measurePairs } from "../../bench/quality/measure-pairs.ts";
import { loadProduct } from "../../bench/quality/product.ts";
import { readPairs } from "../../bench/quality/read-data.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures/", import.meta.url));

test("judgePairs would merge no contradiction of the hand-made pairs with nobody looking", async () => {
  const rows = judgePairs(await readPairs(FIXTURES, "handmade-pairs.jsonl"), await loadProduct());
  const merged = rows.filter(
    ({ judgement, label }) => judgement.autoMerge && label !== "duplicate",
  );
  expect(merged.map(({ a, b }) => [a, b])).toEqual([]);
  const { n, duplicateAP, contradiction, suggestRecall } = measurePairs(rows);
  expect(n).toBe(180);
  expect(duplicateAP).toBeGreaterThan(0.9);
  expect(contradiction.p).toBeGreaterThan(0.85);
  expect(suggestRecall).toBeGreaterThan(0.6);
});

test("measurePairs of no rows has nothing to take a share of", () => {
  const { falseMergeRate, duplicateAP, suggestPrecision } = measurePairs([]);
  expect([falseMergeRate, duplicateAP, suggestPrecision]).toEqual([null, null, null]);
});
