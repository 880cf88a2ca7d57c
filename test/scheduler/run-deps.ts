import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import type { Instant } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import { reviseMemory } from "../../src/model/memory.ts";
import type { Proposal } from "../../src/model/proposal.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import type { Agent } from "../../src/ports/agent.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { VaultFormat } from "../../src/ports/note-vault.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { BUILT_AT } from "../builders.ts";
import { createFixedSystem } from "./fixed-system.ts";

export const SILENT = { start() {}, advance() {}, finish() {}, note() {} };

export const PLAIN_NOTES: VaultFormat = {
  titleOf: (memory) => memory.content.slice(0, 20),
  pathFor: (memory) => `Memories/${memory.id}.md`,
  placeFor: (memory) => `Archive/${memory.id}.md`,
  readEdits: async () => ({ kind: "none" }),
  topicsOf: () => [],
  folderFor: () => "Memories",
  isArchivePath: (path) => path.startsWith("Archive/"),
  indexPathFor: () => undefined,
  isIndexPath: () => false,
  composeIndex: () => ({ kind: "text", text: "" }),
  indexIn: () => undefined,
  linksIn: () => [],
  identify: () => undefined,
  compose: (subject, existing) =>
    existing?.includes("BY HAND")
      ? { kind: "edited", reason: "changed by hand" }
      : {
          kind: "text",
          text: `# ${subject.memory.content}\n${subject.links.map((link) => `[[${link.path}]]\n`).join("")}`,
        },
};

export function createRunDeps(fields: Partial<RunDeps> & { readonly now?: Instant } = {}): RunDeps {
  const { now = BUILT_AT, ...rest } = fields;
  return {
    store: createMemoryStore({ embedder: createHashEmbedder() }),
    loadNoteFormat: async () => PLAIN_NOTES,
    createAgents: () => [],
    settings: settingsSchema.parse({}),
    embedderId: "hash",
    clock: { now: () => now },
    system: createFixedSystem(),
    progress: SILENT,
    ...rest,
  };
}

export async function fill(store: MemoryStore, memories: readonly Memory[]): Promise<void> {
  const result = await store.commit(
    memories.map((after) => ({ record: "memory", before: null, after })),
  );
  if (!result.ok) throw new Error("the store was not empty");
}

/** An agent of one's own: adds a tag to every live memory that lacks it. */
export function tagAgent(options: {
  readonly name?: string;
  readonly tag: string;
  readonly confidence?: number;
}): Agent<{ memoryId: string }> {
  const { name = "tagger", tag, confidence = 1 } = options;
  return {
    name,
    scan: async ({ view }) => {
      const all = view.namespaces().flatMap((namespace) => view.memories(namespace));
      const items = all.filter((memory) => !memory.tags.includes(tag)).map((memory) => memory.id);
      return { items, scanned: all.length, held: {}, notes: [] };
    },
    process: async (itemId, { view }) => {
      const memory = view.memory("default", itemId);
      if (memory === undefined) return [{ kind: "held", itemId, reason: "gone" }];
      return [{ kind: "proposal", proposal: tagProposal({ name, tag, confidence, memory }) }];
    },
  };
}

function tagProposal(input: {
  readonly name: string;
  readonly tag: string;
  readonly confidence: number;
  readonly memory: Memory;
}): Proposal<{ memoryId: string }> {
  const { name, tag, confidence, memory } = input;
  return {
    id: `${name}:${memory.id}:${tag}`,
    agent: name,
    namespace: memory.namespace,
    action: "tag",
    results: [{ memoryId: memory.id }],
    confidence,
    reason: `lacks ${tag}`,
    dependsOn: [],
    changes: [
      {
        kind: "memory.put",
        before: memory,
        after: reviseMemory(memory, { tags: [...memory.tags, tag] }),
      },
    ],
    finding: { title: `Tag ${memory.id}`, urgency: "low", members: [memory], scores: {} },
  };
}
