import { expect, test } from "vitest";
import { createHashEmbedder } from "../../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../../src/adapters/memory/memory-store.ts";
import { aMemory } from "../../builders.ts";
import { testMemoryStore } from "../../contracts/memory-store.ts";

testMemoryStore("memory store", async () => ({
  store: createMemoryStore({ embedder: createHashEmbedder() }),
}));

test("memory store hands out copies, so that no caller can change what is kept", async () => {
  const store = createMemoryStore({ embedder: createHashEmbedder(), storeId: "s1" });
  const tags = ["a"];
  await store.commit([{ record: "memory", before: null, after: aMemory({ tags }) }]);
  tags.push("b");
  const [read] = await store.read("memory");
  expect(read?.tags).toEqual(["a"]);
  expect(store.storeId).toBe("s1");
});
