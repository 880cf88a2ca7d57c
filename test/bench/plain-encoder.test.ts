import path from "node:path";
import { expect, test } from "vitest";
import { createPlainEncoder, readVocabulary } from "../../bench/quality/plain-encoder.ts";
import { loadStaticEmbedder } from "../../src/adapters/static-embedder/load-static-embedder.ts";
import { readTable } from "../../src/adapters/static-embedder/read-table.ts";

test("the plain encoder that speed is measured against gives the product's vectors", async () => {
  const { encode } = await loadStaticEmbedder();
  const assets = path.resolve(import.meta.dirname, "../../assets/static-embedding");
  const plain = createPlainEncoder(await readTable(assets), await readVocabulary(assets));
  const texts = [
    "The team meets on Monday.",
    "Antidisestablishmentarianism, naïve café: 12 €?!",
    "東京 tower",
    "",
  ];
  for (const text of texts) {
    const [expected, found] = [encode(text), plain(text)];
    for (const [index, value] of expected.entries()) expect(found[index]).toBeCloseTo(value, 5);
  }
});
