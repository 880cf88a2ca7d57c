import { SlowwaveError } from "../model/errors.ts";
import type { Instant } from "../model/instant.ts";
import { type Memory, memoryKey } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { visibleRelations } from "../ports/relation-columns.ts";
import { cortexgraphMemoryLine, cortexgraphRelationLine } from "./cortexgraph-line.ts";
import { foldUse, groupUses, type UsesByMemory } from "./fold-use.ts";
import { mcpLines } from "./mcp-lines.ts";
import { recordFromMemory, recordFromRelation } from "./record-form.ts";

export const EXPORT_FORMATS = ["jsonl", "cortexgraph", "mcp"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Which of CortexGraph's two files a line belongs to; the other formats keep all in one. */
export type ExportPart = "memories" | "relations";

export interface ExportOptions {
  readonly store: MemoryStore;
  readonly format: ExportFormat;
  /** One namespace alone. @default all of them */
  readonly namespace?: string;
  /** Uses after it do not count. */
  readonly now: Instant;
  /** Takes one line, without its end. Memories come first. */
  readonly write: (line: string, part: ExportPart) => void | Promise<void>;
}

export interface ExportReport {
  readonly memories: number;
  readonly relations: number;
  /** Deletions, which an export carries along without the content. */
  readonly tombstones: number;
}

/**
 * Writes what a store holds, in the order of namespace and id. `jsonl` holds everything, `cortexgraph` too, in CortexGraph's form; `mcp`
 * is the graph of live memories, for the MCP project's memory server. Of what was deleted or forgotten only the fact is written, and of
 * what was undone nothing.
 */
export async function exportMemories(options: ExportOptions): Promise<ExportReport> {
  const { store, namespace, now, format } = options;
  const snapshot = await store.snapshot();
  const isWanted = (record: { readonly namespace: string }) =>
    namespace === undefined || record.namespace === namespace;
  const memories = snapshot.memories.filter(
    (memory) => isWanted(memory) && memory.archivedReason !== "undone",
  );
  const deleted = memories.filter(isDeleted);
  const kept = memories.filter((memory) => !isDeleted(memory));
  const relations = visibleRelations(snapshot.relations).filter(isWanted);
  const content = { kept, deleted, relations, uses: groupUses(snapshot.uses, now) };
  return format === "mcp" ? writeGraph(content, options) : writeRecords(content, options);
}

interface ExportContent {
  readonly kept: readonly Memory[];
  readonly deleted: readonly Memory[];
  readonly relations: readonly Relation[];
  readonly uses: UsesByMemory;
}

function isDeleted({ status, archivedReason: reason }: Memory): boolean {
  return status === "archived" && (reason === "deleted" || reason === "forgotten");
}

function hasEnds({ namespace, from, to }: Relation, keys: ReadonlyMap<string, Memory>): boolean {
  return [from, to].every((id) => keys.has(memoryKey({ namespace, id })));
}

async function writeRecords(content: ExportContent, options: ExportOptions): Promise<ExportReport> {
  const { kept, deleted, uses } = content;
  const { write, format } = options;
  const isOurs = format === "jsonl";
  const byKey = new Map(kept.map((memory) => [memoryKey(memory), memory]));
  const relations = content.relations.filter((relation) => hasEnds(relation, byKey));
  for (const memory of kept) {
    const own = foldUse([memory], uses);
    const leaves = isOurs ? [] : leavesOf(memory, byKey);
    const record = isOurs
      ? recordFromMemory(memory, own)
      : cortexgraphMemoryLine(memory, { own, withLeaves: foldUse([memory, ...leaves], uses) });
    // Lines are handed over one by one, in order.
    await write(JSON.stringify(record), "memories");
  }
  for (const { id, namespace } of deleted) {
    await write(JSON.stringify({ id, namespace, _deleted: true }), "memories");
  }
  for (const relation of relations) {
    const record = isOurs ? recordFromRelation(relation) : cortexgraphRelationLine(relation);
    await write(JSON.stringify(record), "relations");
  }
  return { memories: kept.length, relations: relations.length, tombstones: deleted.length };
}

function leavesOf({ namespace, id, leaves }: Memory, byKey: ReadonlyMap<string, Memory>) {
  const others = leaves.filter((leaf) => leaf !== id);
  return others.flatMap((leaf) => byKey.get(memoryKey({ namespace, id: leaf })) ?? []);
}

async function writeGraph(content: ExportContent, options: ExportOptions): Promise<ExportReport> {
  const namespaces = new Set(content.kept.map(({ namespace }) => namespace));
  if (namespaces.size > 1) {
    throw new SlowwaveError(
      "input",
      `a graph holds one namespace, the store has ${[...namespaces].join(", ")}`,
      { hint: "Export one at a time with --namespace." },
    );
  }
  const live = content.kept.filter((memory) => memory.status !== "archived");
  const { entities, relations } = mcpLines(live, content.kept, content.relations);
  for (const entity of entities) await options.write(JSON.stringify(entity), "memories");
  for (const relation of relations) await options.write(JSON.stringify(relation), "relations");
  return { memories: live.length, relations: relations.length, tombstones: 0 };
}
