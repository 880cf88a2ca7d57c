import { expect, test } from "vitest";
import type { Embedder } from "../../src/ports/embedder.ts";

/** What every embedder must do. `open` may be called once a test. */
export function testEmbedder(name: string, open: () => Promise<Embedder>): void {
  const texts = ["The team meets on Monday.", "Maria prefers tea", "deploy with docker compose"];

  test(`${name}: an embedder names itself with an id without spaces and a positive size`, async () => {
    const embedder = await open();
    expect(embedder.id).toMatch(/^[^\s/]+$/);
    expect(embedder.dimensions).toBeGreaterThan(0);
  });

  test(`${name}: vectors have the stated size and unit length`, async () => {
    const embedder = await open();
    for (const vector of await embedder.embed(texts)) {
      expect(vector).toBeInstanceOf(Float32Array);
      expect(vector).toHaveLength(embedder.dimensions);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    }
  });

  test(`${name}: a vector depends on its text alone, not on its neighbours or on the instance`, async () => {
    const embedder = await open();
    const batch = await embedder.embed(texts);
    const reversed = await embedder.embed([...texts].reverse());
    expect([...reversed].reverse()).toEqual(batch);
    const other = await open();
    for (const [index, text] of texts.entries()) {
      expect(await other.embed([text])).toEqual([batch[index]]);
    }
  });

  test(`${name}: different texts get different vectors`, async () => {
    const embedder = await open();
    const keys = (await embedder.embed(texts)).map((vector) => vector.join());
    expect(new Set(keys).size).toBe(texts.length);
  });

  test(`${name}: a text without words gets the zero vector in its place`, async () => {
    const embedder = await open();
    const [first, blank, last] = await embedder.embed(["tea", "", "coffee"]);
    expect(blank).toEqual(new Float32Array(embedder.dimensions));
    expect([first, last]).toEqual([
      ...(await embedder.embed(["tea"])),
      ...(await embedder.embed(["coffee"])),
    ]);
    expect(await embedder.embed([" \n\t"])).toEqual([blank]);
  });

  test(`${name}: no texts give no vectors`, async () => {
    expect(await (await open()).embed([])).toEqual([]);
  });
}
