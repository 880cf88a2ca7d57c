import { expect, test } from "vitest";
import { createHashEmbedder } from "../../../src/adapters/memory/hash-embedder.ts";
import { testEmbedder } from "../../contracts/embedder.ts";

testEmbedder("hash embedder", async () => createHashEmbedder());

test("hash embedder rates texts by the words they share", async () => {
  const [a, b, c] = await createHashEmbedder({ dimensions: 256 }).embed([
    "maria drinks green tea",
    "Maria drinks black tea",
    "the deploy failed",
  ]);
  const similarity = (x?: Float32Array, y?: Float32Array): number =>
    Array.from(x ?? []).reduce((sum, value, k) => sum + value * (y?.[k] ?? 0), 0);
  expect(similarity(a, b)).toBeGreaterThan(0.5);
  expect(Math.abs(similarity(a, c))).toBeLessThan(0.3);
});
