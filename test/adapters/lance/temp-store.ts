import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type OpenLanceStoreOptions,
  openLanceStore,
} from "../../../src/adapters/lance/open-lance-store.ts";
import { createHashEmbedder } from "../../../src/adapters/memory/hash-embedder.ts";
import type { MemoryStore } from "../../../src/ports/memory-store.ts";

/** A folder that goes with the test. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "slowwave-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A store that is closed with the test; for writing, and made where need be, unless told otherwise. */
export async function openStore(
  options: Partial<OpenLanceStoreOptions> & { readonly uri: string },
): Promise<MemoryStore> {
  const store = await openLanceStore({
    embedder: createHashEmbedder(),
    mode: "write",
    create: true,
    ...options,
  });
  onTestFinished(() => store.close());
  return store;
}

/** Every file and folder below, with size and time of change: equal lists mean that nothing was written. */
export async function listTree(folder: string): Promise<readonly string[]> {
  const paths = await readdir(folder, { recursive: true });
  const lines = paths.map(async (path) => {
    const { size, mtimeMs } = await stat(join(folder, path));
    return `${path} ${size} ${mtimeMs}`;
  });
  return (await Promise.all(lines)).sort();
}
