import { hashText } from "../model/hash.ts";
import { toIso } from "../model/instant.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { Memory } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import { type IncomingMemory, incomingFieldsSchema } from "./incoming.ts";
import { type FieldNames, isObject, type Parsed, parseFields, splitFields } from "./parse-line.ts";
import { partFor } from "./part-for.ts";

/** Uses and last use, events folded in. */
export interface FoldedUse {
  readonly useCount: number;
  readonly lastUsedAt?: number;
}

type FieldName = keyof typeof incomingFieldsSchema.shape;

/** The names a plain record may use. Where a field has several, the first is the one that exports write. */
export const RECORD_NAMES = {
  id: "id",
  namespace: "namespace",
  content: "content",
  kind: "kind",
  tags: "tags",
  entities: "entities",
  source: "source",
  context: "context",
  created_at: "createdAt",
  createdAt: "createdAt",
  use_count: "useCount",
  useCount: "useCount",
  last_used: "lastUsedAt",
  lastUsed: "lastUsedAt",
  last_used_at: "lastUsedAt",
  lastUsedAt: "lastUsedAt",
  review_count: "reviewCount",
  reviewCount: "reviewCount",
  last_reviewed_at: "lastReviewedAt",
  lastReviewedAt: "lastReviewedAt",
  strength: "strength",
  confidence: "confidence",
  pinned: "pinned",
  disputed: "disputed",
  status: "status",
  archived_at: "archivedAt",
  archivedAt: "archivedAt",
  archived_reason: "archivedReason",
  archivedReason: "archivedReason",
  superseded_by: "supersededBy",
  supersededBy: "supersededBy",
  valid_from: "validFrom",
  validFrom: "validFrom",
  valid_to: "validTo",
  validTo: "validTo",
  expires_at: "expiresAt",
  expiresAt: "expiresAt",
  promoted_at: "promotedAt",
  promotedAt: "promotedAt",
  vault_path: "vaultPath",
  vaultPath: "vaultPath",
  leaves: "leaves",
  provenance: "provenance",
  content_hash: "contentHash",
} as const satisfies FieldNames<FieldName>;

/** Told apart from a memory's fields by readers, and so never written as one. */
const RESERVED = new Set(["extra", "record", "_deleted"]);

/** Enough to tell one text from another; part of `importHash` and of exports. */
export function contentHashOf(content: string): string {
  return hashText(content).slice(0, 16);
}

/** A memory from a plain record; `idOf` names one that states no id. */
export function memoryFromRecord(
  record: JsonObject,
  idOf: (content: string, record: JsonObject) => string,
): Parsed<IncomingMemory> {
  const { known, rest } = splitFields(record, RECORD_NAMES);
  const gathered = gatherExtra(rest);
  if (!gathered.ok) return gathered;
  const { fields, extra } = setUnknownKindAside(withTextId(known), gathered.value);
  const parsed = parseFields(partFor(incomingFieldsSchema, fields), fields, RECORD_NAMES);
  if (!parsed.ok) return parsed;
  const { value } = parsed;
  return { ok: true, value: { ...value, id: value.id ?? idOf(value.content, record), extra } };
}

/** Many tables count their rows. */
function withTextId(
  known: Readonly<Record<string, JsonValue>>,
): Readonly<Record<string, JsonValue>> {
  return Number.isSafeInteger(known.id) ? { ...known, id: String(known.id) } : known;
}

/** Unknown fields; those of an `extra` object stand beside them, unless a name would be taken twice. */
function gatherExtra(rest: JsonObject): Parsed<JsonObject> {
  const { extra, ...unknown } = rest;
  if (extra === undefined || extra === null) return { ok: true, value: unknown };
  if (!isObject(extra)) return { ok: false, reason: "extra: expected an object" };
  const isTaken = Object.keys(extra).some((key) => Object.hasOwn(unknown, key));
  return { ok: true, value: isTaken ? rest : { ...unknown, ...extra } };
}

/** Others have kinds of their own ("preference", "fact"): not ours to judge, and not to be lost. */
function setUnknownKindAside(known: Readonly<Record<string, JsonValue>>, extra: JsonObject) {
  const { kind, ...fields } = known;
  if (kind === undefined || typeof kind !== "string") return { fields: known, extra };
  if (incomingFieldsSchema.shape.kind.safeParse(kind).success) return { fields: known, extra };
  return { fields, extra: { ...extra, kind } };
}

/** The plain record of a memory: all that the model holds of it, times as ISO text. */
export function recordFromMemory(memory: Memory, use: FoldedUse): JsonObject {
  const record: Record<string, JsonValue | undefined> = {
    id: memory.id,
    namespace: memory.namespace,
    content: memory.content,
    kind: memory.kind,
    tags: memory.tags,
    entities: memory.entities,
    source: memory.source,
    context: memory.context,
    created_at: toIso(memory.createdAt),
    use_count: use.useCount,
    last_used: isoOrNone(use.lastUsedAt),
    review_count: memory.reviewCount,
    last_reviewed_at: isoOrNone(memory.lastReviewedAt),
    strength: memory.strength,
    confidence: memory.confidence,
    pinned: memory.pinned,
    disputed: memory.disputed,
    status: memory.status,
    archived_at: isoOrNone(memory.archivedAt),
    archived_reason: memory.archivedReason,
    superseded_by: memory.supersededBy,
    valid_from: isoOrNone(memory.validFrom),
    valid_to: isoOrNone(memory.validTo),
    expires_at: isoOrNone(memory.expiresAt),
    promoted_at: isoOrNone(memory.promotedAt),
    vault_path: memory.vaultPath,
    leaves: memory.leaves,
    provenance: memory.provenance.map((link) => ({ ...link, at: toIso(link.at) })),
    content_hash: contentHashOf(memory.content),
  };
  return { ...withoutAbsent(record), ...extraFields(memory.extra, record) };
}

/** Unknown fields where they came from, at the top; under `extra` where a field of ours has the name. */
function extraFields(extra: JsonObject, record: Readonly<Record<string, unknown>>): JsonObject {
  const taken = (key: string) =>
    Object.hasOwn(record, key) || Object.hasOwn(RECORD_NAMES, key) || RESERVED.has(key);
  const entries = Object.entries(extra);
  const top = Object.fromEntries(entries.filter(([key]) => !taken(key)));
  const nested = Object.fromEntries(entries.filter(([key]) => taken(key)));
  return Object.keys(nested).length === 0 ? top : { ...top, extra: nested };
}

export function recordFromRelation(relation: Relation): JsonObject {
  const { id, namespace, from, to, type, strength, reason, metadata } = relation;
  const created = { created_at: toIso(relation.createdAt) };
  const record = { record: "relation", id, namespace, from, to, type, strength, reason, metadata };
  return withoutAbsent({ ...record, ...created });
}

export function isoOrNone(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : toIso(instant);
}

export function withoutAbsent(record: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const entries = Object.entries(record).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, value] as const],
  );
  return Object.fromEntries(entries);
}
