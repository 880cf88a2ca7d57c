import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { createNoteFormat } from "../../src/adapters/obsidian/note-format.ts";
import { createNodeSystem } from "../../src/adapters/system/node-system.ts";
import { createAgents } from "../../src/agents/index.ts";
import { DAY_MS, parseInstant } from "../../src/model/instant.ts";
import { DEFAULT_NAMESPACE, type Memory } from "../../src/model/memory.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { extractEntities } from "../../src/text/entities/extract-entities.ts";
import type { Product } from "./product.ts";

export interface StoredText {
  readonly id: string;
  readonly text: string;
  readonly created_at?: string;
}

/** An in-memory store of the texts, with what a run needs to work on it: no vault, no git, a day after the youngest text. */
export async function makeStore(
  texts: readonly StoredText[],
  { embedder, deps, settings }: Product,
): Promise<{ readonly store: MemoryStore; readonly runDeps: RunDeps }> {
  const store = createMemoryStore({ embedder });
  const memories = texts.map(toMemory);
  const puts = memories.map((after) => ({ record: "memory", before: null, after }) as const);
  const result = await store.commit(puts);
  if (!result.ok) throw new Error("the store was not empty");
  const now = memories.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0) + DAY_MS;
  const runDeps: RunDeps = {
    store,
    loadNoteFormat: async () => createNoteFormat(),
    createAgents: () => createAgents(deps),
    settings,
    embedderId: embedder.id,
    clock: { now: () => now },
    system: createNodeSystem(),
    progress: { start() {}, advance() {}, finish() {}, note() {} },
  };
  return { store, runDeps };
}

/** As an import makes it: entities extracted, no use recorded. */
function toMemory({ id, text, created_at = UNDATED }: StoredText): Memory {
  return {
    id,
    namespace: DEFAULT_NAMESPACE,
    kind: "semantic",
    content: text,
    tags: [],
    entities: extractEntities(text),
    extra: {},
    createdAt: parseInstant(created_at, "created_at"),
    baseUseCount: 0,
    reviewCount: 0,
    strength: 1,
    pinned: false,
    disputed: false,
    status: "active",
    leaves: [],
    provenance: [],
    revision: 1,
  };
}

/** Texts without a time of their own are all of one day. */
const UNDATED = "2026-01-01T12:00:00Z";
