import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openLanceStore } from "../../../src/adapters/lance/open-lance-store.ts";
import { createHashEmbedder } from "../../../src/adapters/memory/hash-embedder.ts";
import { testMemoryStore } from "../../contracts/memory-store.ts";

const embedder = createHashEmbedder();

testMemoryStore("lance store", async () => {
  const folder = await mkdtemp(join(tmpdir(), "slowwave-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const uri = join(folder, "store");
  const store = await openLanceStore({ uri, embedder, mode: "write", create: true });
  onTestFinished(() => store.close());
  return { store, reopen: (mode) => openLanceStore({ uri, embedder, mode }) };
});
