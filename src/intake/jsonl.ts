import { z } from "zod";
import { hashOf } from "../model/hash.ts";
import type { JsonObject } from "../model/json.ts";
import {
  type IncomingMemory,
  type IncomingRelation,
  type IntakeItem,
  type IntakeReader,
  incomingFieldsSchema,
  incomingRelationSchema,
} from "./incoming.ts";
import { type Parsed, parseFields, parseObject, splitFields } from "./parse-line.ts";
import { type LineItem, readLines } from "./read-lines.ts";
import { memoryFromRecord, RECORD_NAMES } from "./record-form.ts";

/**
 * Plain JSON lines, also the form of our own exports. A line is a memory, `{content, id?, tags?, …}`; a relation,
 * `{record: "relation", from, to, type, …}`; or a tombstone, `{id, _deleted: true}`. A memory without an id is named after its content.
 */
export const jsonlReader: IntakeReader = {
  isLog: false,
  async *read(source) {
    const idOf = createContentIds();
    for await (const line of readLines(source.path)) yield readItem(line, idOf);
  },
};

type IdOf = (content: string, record: JsonObject) => string;

/**
 * The same record again has the same id; the same words with other facts (a later time, another source) are another memory, or one of
 * them would be lost.
 */
function createContentIds(): IdOf {
  const variants = new Map<string, string[]>();
  return (content, record) => {
    const id = hashOf(content, 24);
    const variant = hashOf(record, 16);
    const known = variants.get(id) ?? [];
    if (!known.includes(variant)) variants.set(id, [...known, variant]);
    const index = known.includes(variant) ? known.indexOf(variant) : known.length;
    return index === 0 ? `mem-${id}` : `mem-${id}-${index + 1}`;
  };
}

function readItem(line: LineItem, idOf: IdOf): IntakeItem {
  if (line.kind === "bad") return line;
  const { origin } = line;
  const parsed = parseObject(line.text);
  const item = parsed.ok ? itemFrom(parsed.value, idOf) : parsed;
  return item.ok ? { ...item.value, origin } : { kind: "bad", origin, reason: item.reason };
}

type Found =
  | { readonly kind: "memory"; readonly memory: IncomingMemory }
  | { readonly kind: "relation"; readonly relation: IncomingRelation }
  | Tombstone;

interface Tombstone {
  readonly kind: "tombstone";
  readonly of: "memory";
  readonly id: string;
  readonly namespace?: string;
}

function itemFrom(record: JsonObject, idOf: IdOf): Parsed<Found> {
  if (record._deleted === true) return tombstoneFrom(record);
  if (record.record === "relation") {
    const relation = relationFrom(record);
    return relation.ok
      ? { ok: true, value: { kind: "relation", relation: relation.value } }
      : relation;
  }
  const memory = memoryFromRecord(record, idOf);
  return memory.ok ? { ok: true, value: { kind: "memory", memory: memory.value } } : memory;
}

const { id, namespace } = incomingFieldsSchema.shape;
const tombstoneSchema = z.object({ id: id.unwrap(), namespace });

export function tombstoneFrom(record: JsonObject): Parsed<Tombstone> {
  const parsed = parseFields(tombstoneSchema, record, RECORD_NAMES);
  if (!parsed.ok) return parsed;
  return { ok: true, value: { kind: "tombstone", of: "memory", ...parsed.value } };
}

const RELATION_NAMES = {
  id: "id",
  namespace: "namespace",
  from: "from",
  to: "to",
  type: "type",
  strength: "strength",
  reason: "reason",
  metadata: "metadata",
  created_at: "createdAt",
  createdAt: "createdAt",
} as const;

function relationFrom(record: JsonObject): Parsed<IncomingRelation> {
  const { known } = splitFields(record, RELATION_NAMES);
  return parseFields(incomingRelationSchema, known, RELATION_NAMES);
}
