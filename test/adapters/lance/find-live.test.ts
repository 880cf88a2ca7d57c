import { join } from "node:path";
import { expect, test } from "vitest";
import type { Embedder } from "../../../src/ports/embedder.ts";
import { aMemory, BUILT_AT } from "../../builders.ts";
import { openStore, tempFolder } from "./temp-store.ts";

/** Fills a store with memories that come before any live one of the namespace, by words and by likeness. */
async function aCrowdedStore() {
  const store = await openStore({ uri: join(await tempFolder(), "store") });
  const content = "green tea in the morning";
  const archived = Array.from({ length: 30 }, (_, n) =>
    aMemory({
      id: `old-${n}`,
      content,
      status: "archived",
      archivedAt: BUILT_AT,
      archivedReason: "forgotten",
    }),
  );
  const elsewhere = Array.from({ length: 30 }, (_, n) =>
    aMemory({ id: `other-${n}`, content, namespace: "work" }),
  );
  const live = ["a", "b", "c"].map((id) =>
    aMemory({ id, content: `${content}, before the long walk to the office of ${id}` }),
  );
  const memories = [...archived, ...elsewhere, ...live];
  await store.commit(memories.map((after) => ({ record: "memory", before: null, after })));
  return { store, text: content };
}

test("a search finds the live memories of its namespace however many others come before them", async () => {
  const { store, text } = await aCrowdedStore();
  const hits = await store.search({ namespace: "default", text, candidates: 2 });
  const found = hits.map(({ memory }) => memory.id);
  expect(found.length).toBeGreaterThanOrEqual(2);
  expect(["a", "b", "c"]).toEqual(expect.arrayContaining(found));
  expect(hits.every(({ cosine, textScore }) => cosine > 0.5 && textScore > 0)).toBe(true);
});

test("a search gives the same cosine whether the vector side or the word side found a memory", async () => {
  const { store, text } = await aCrowdedStore();
  const cosineOf = async (candidates: number) => {
    const hits = await store.search({ namespace: "default", text, candidates });
    return new Map(hits.map(({ memory, cosine }) => [memory.id, cosine]));
  };
  const [few, all] = [await cosineOf(1), await cosineOf(10)];
  expect(all.size).toBe(3);
  for (const [id, cosine] of few) expect(cosine).toBeCloseTo(all.get(id) ?? 0, 5);
});

test("a vector that is not of unit length is refused: it would rank before all others", async () => {
  const embedder: Embedder = {
    id: "long@1",
    dimensions: 2,
    embed: async (texts) => texts.map(() => Float32Array.of(3, 4)),
  };
  const store = await openStore({ uri: join(await tempFolder(), "store"), embedder });
  await expect(
    store.commit([{ record: "memory", before: null, after: aMemory() }]),
  ).rejects.toMatchObject({
    code: "embedder",
    message: "embedder long@1: expected a vector of length 1, got one of 5",
  });
});
