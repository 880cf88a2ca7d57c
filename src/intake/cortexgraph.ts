import { stat } from "node:fs/promises";
import path from "node:path";
import type { JsonObject } from "../model/json.ts";
import { cortexgraphMemory, cortexgraphRelation } from "./cortexgraph-form.ts";
import type {
  IncomingMemory,
  IncomingRelation,
  IntakeItem,
  IntakeReader,
  IntakeSource,
} from "./incoming.ts";
import { tombstoneFrom } from "./jsonl.ts";
import { type Parsed, parseObject } from "./parse-line.ts";
import { type LineItem, readLines, unreadable } from "./read-lines.ts";

export const MEMORIES_FILE = "memories.jsonl";
export const RELATIONS_FILE = "relations.jsonl";

/**
 * CortexGraph's storage: a folder with `memories.jsonl` and `relations.jsonl`, or one of them. Both are logs: a later line with an id
 * replaces the earlier one, `{id, _deleted: true}` deletes. A tombstone deletes a relation where the file is `relations.jsonl`, and a
 * memory elsewhere. Stored embeddings are not taken over: vectors of another model say nothing here.
 */
export const cortexgraphReader: IntakeReader = {
  isLog: true,
  async *read(source) {
    for (const file of await filesOf(source)) {
      const of = path.basename(file) === RELATIONS_FILE ? "relation" : "memory";
      for await (const line of readLines(file)) yield readItem(line, of);
    }
  },
};

async function filesOf({ path: root, isFolder }: IntakeSource): Promise<readonly string[]> {
  if (!isFolder) return [root];
  const files = [MEMORIES_FILE, RELATIONS_FILE].map((name) => path.join(root, name));
  const present = await Promise.all(files.map(isFile));
  return files.filter((_file, index) => present[index]);
}

export async function isFile(file: string): Promise<boolean> {
  try {
    return (await stat(file)).isFile();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw unreadable(file, error);
  }
}

function readItem(line: LineItem, of: "memory" | "relation"): IntakeItem {
  if (line.kind === "bad") return line;
  const { origin } = line;
  const parsed = parseObject(line.text);
  const item = parsed.ok ? itemFrom(parsed.value, of) : parsed;
  return item.ok ? { ...item.value, origin } : { kind: "bad", origin, reason: item.reason };
}

type Found =
  | { readonly kind: "memory"; readonly memory: IncomingMemory }
  | { readonly kind: "relation"; readonly relation: IncomingRelation }
  | {
      readonly kind: "tombstone";
      readonly of: "memory" | "relation";
      readonly id: string;
      readonly namespace?: string;
    };

function itemFrom(record: JsonObject, of: "memory" | "relation"): Parsed<Found> {
  if (record._deleted === true) {
    const tombstone = tombstoneFrom(record);
    return tombstone.ok ? { ok: true, value: { ...tombstone.value, of } } : tombstone;
  }
  if (Object.hasOwn(record, "from_memory_id")) {
    const relation = cortexgraphRelation(record);
    return relation.ok
      ? { ok: true, value: { kind: "relation", relation: relation.value } }
      : relation;
  }
  const memory = cortexgraphMemory(record);
  return memory.ok ? { ok: true, value: { kind: "memory", memory: memory.value } } : memory;
}
