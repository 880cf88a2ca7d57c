import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { openLanceStore } from "../../src/adapters/lance/open-lance-store.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { createMemoryVault } from "../../src/adapters/memory/memory-vault.ts";
import { createAgents } from "../../src/agents/index.ts";
import { exportMemories } from "../../src/intake/export-memories.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import type { RealDeps } from "../agents/real-deps.ts";
import { noteFormat } from "../note-formats.ts";
import { createFixedSystem } from "../scheduler/fixed-system.ts";
import { SILENT } from "../scheduler/run-deps.ts";
import { NOW, type StoreContent } from "./stores.ts";

/** Runs of the five agents, with the built-in embedder and its fitted profile, over a store of this content. */
export async function createPromiseRun(input: {
  readonly real: RealDeps;
  readonly store: MemoryStore;
  readonly content: StoreContent;
  readonly notes?: Map<string, string>;
}): Promise<RunDeps> {
  const { real, store, content, notes = new Map<string, string>() } = input;
  const result = await store.commit(
    content.memories.map((after) => ({ record: "memory", before: null, after })),
  );
  expect(result.ok).toBe(true);
  await store.recordUses(content.uses);
  return {
    store,
    vault: createMemoryVault({ notes }),
    loadNoteFormat: async () => noteFormat,
    createAgents: () => createAgents(real),
    settings: settingsSchema.parse({}),
    embedderId: real.embedder.id,
    clock: { now: () => NOW },
    system: createFixedSystem(NOW),
    progress: SILENT,
  };
}

/** An empty store in memory, and one on disk: that costs a hundred times more, so it gets fewer, equally random, cases. */
export function emptyStores(real: () => RealDeps) {
  return [
    {
      name: "in memory",
      numRuns: 15,
      open: async (): Promise<MemoryStore> => createMemoryStore({ embedder: real().embedder }),
    },
    { name: "on disk", numRuns: 2, open: async () => await openOnDisk(real()) },
  ];
}

async function openOnDisk({ embedder }: RealDeps): Promise<MemoryStore> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-promises-"));
  const uri = path.join(folder, "store");
  const store = await openLanceStore({ uri, embedder, mode: "write", create: true });
  onTestFinished(async () => {
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  return store;
}

/** The lines of a full export, one a record. */
export async function exportLines(store: MemoryStore): Promise<readonly string[]> {
  const lines: string[] = [];
  await exportMemories({
    store,
    format: "jsonl",
    now: NOW,
    write: (line) => void lines.push(line),
  });
  return lines;
}
