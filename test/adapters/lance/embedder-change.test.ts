import { join } from "node:path";
import { expect, test } from "vitest";
import type { Embedder } from "../../../src/ports/embedder.ts";
import { aMemory } from "../../builders.ts";
import { openStore, tempFolder } from "./temp-store.ts";

/** Every text with letters points along the given axis; what it was asked for is kept. */
function axisEmbedder(id: string, dimensions: number, axis: number) {
  const asked: string[] = [];
  const embedder: Embedder = {
    id,
    dimensions,
    embed: async (texts) => {
      asked.push(...texts);
      return texts.map((text) => {
        const vector = new Float32Array(dimensions);
        if (/\p{L}/u.test(text)) vector[axis] = 1;
        return vector;
      });
    },
  };
  return { embedder, asked };
}

const tea = aMemory({ id: "a", content: "tea" });
const blank = aMemory({ id: "b", content: "…" });

async function storeOf(embedder: Embedder): Promise<string> {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, embedder });
  const puts = [tea, blank].map((after) => ({ record: "memory" as const, before: null, after }));
  await store.commit(puts);
  await store.close();
  return uri;
}

test.each([
  ["another size", 3],
  ["the same size", 2],
])("an embedder of %s gets vectors of its own, whatever the store has", async (_, dimensions) => {
  const uri = await storeOf(axisEmbedder("old@1", 2, 0).embedder);
  const { embedder } = axisEmbedder("new@1", dimensions, 1);
  for (const mode of ["read", "write"] as const) {
    const store = await openStore({ uri, embedder, mode });
    const snapshot = await store.snapshot();
    const { data } = await snapshot.vectors(snapshot.memories);
    expect([...data]).toEqual(
      [0, 1, 0, 0, 0, 0].slice(0, 2 * dimensions).map((value, index) => (index === 1 ? 1 : value)),
    );
    const [hit] = await store.search({ namespace: "default", text: "tea" });
    expect(hit).toMatchObject({ memory: tea, cosine: 1 });
  }
});

test("vectors of the first embedder are still there when it comes back", async () => {
  const first = axisEmbedder("old@1", 2, 0);
  const uri = await storeOf(first.embedder);
  const store = await openStore({ uri, embedder: axisEmbedder("new@1", 3, 1).embedder });
  await store.commit([
    { record: "memory", before: null, after: aMemory({ id: "c", content: "new" }) },
  ]);
  const asked = first.asked.length;
  const again = await openStore({ uri, embedder: first.embedder, mode: "read" });
  const snapshot = await again.snapshot();
  expect([...(await snapshot.vectors(snapshot.memories)).data]).toEqual([1, 0, 0, 0, 1, 0]);
  expect(first.asked.slice(asked)).toEqual(["new"]);
});

test("reembed gives every memory a vector of the present embedder, once", async () => {
  const uri = await storeOf(axisEmbedder("old@1", 2, 0).embedder);
  const { embedder, asked } = axisEmbedder("new@1", 2, 1);
  const store = await openStore({ uri, embedder });
  const before = await store.snapshot();
  expect(await store.reembed()).toBe(2);
  expect(await store.reembed()).toBe(0);
  expect(asked).toEqual(["tea", "…"]);
  const snapshot = await store.snapshot();
  expect([...(await snapshot.vectors(snapshot.memories)).data]).toEqual([0, 1, 0, 0]);
  expect(asked).toEqual(["tea", "…"]);
  expect(snapshot.memories).toEqual(before.memories);
  expect(await store.search({ namespace: "default", text: "coffee" })).toMatchObject([
    { memory: tea, cosine: 1 },
  ]);
});

test.each([
  ["too short", Float32Array.of(1)],
  ["too long", Float32Array.of(1, 0, 0)],
  ["not a number", Float32Array.of(Number.NaN, 0)],
  ["infinite", Float32Array.of(Number.POSITIVE_INFINITY, 0)],
])("a vector that is %s is refused before anything is written", async (_, vector) => {
  const uri = join(await tempFolder(), "store");
  const embedder = { id: "bad@1", dimensions: 2, embed: async () => [vector] };
  const store = await openStore({ uri, embedder });
  const put = { record: "memory", before: null, after: tea } as const;
  await expect(store.commit([put])).rejects.toMatchObject({ code: "embedder" });
  expect(await store.read("memory")).toEqual([]);
});
