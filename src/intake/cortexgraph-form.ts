import { z } from "zod";
import { parseInstant } from "../model/instant.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import { jsonObjectSchema } from "../model/json-value-schema.ts";
import {
  type IncomingMemory,
  type IncomingRelation,
  incomingFieldsSchema,
  incomingRelationSchema,
} from "./incoming.ts";
import { isObject, type Parsed, parseFields, splitFields } from "./parse-line.ts";
import { partFor } from "./part-for.ts";
import { RECORD_NAMES } from "./record-form.ts";

/** Where our own facts stand in CortexGraph's records: a place that it keeps when it rewrites them. */
export const OWN_KEY = "slowwave";

/** Top-level fields with a meaning here. */
const MEMORY_NAMES = {
  id: "id",
  content: "content",
  created_at: "createdAt",
  last_used: "lastUsedAt",
  use_count: "useCount",
  strength: "strength",
  status: "status",
  promoted_at: "promotedAt",
  promoted_to: "vaultPath",
  entities: "entities",
  last_review_at: "lastReviewedAt",
  review_count: "reviewCount",
} as const;

const META_NAMES = { tags: "tags", source: "source", context: "context" } as const;

const ALL_NAMES = { ...MEMORY_NAMES, ...META_NAMES };

/** CortexGraph computes these; at zero they say nothing. */
export const COMPUTED_FIELDS = ["review_priority", "cross_domain_count"] as const;

/** Names a line has a meaning for, ours or CortexGraph's. */
export function isCortexgraphField(key: string): boolean {
  return Object.hasOwn(MEMORY_NAMES, key) || ["meta", "embed", "_deleted"].includes(key);
}

export function isCortexgraphMetaField(key: string): boolean {
  return Object.hasOwn(META_NAMES, key);
}

const valueOrNone = z.union([z.number(), z.string(), z.null()]);

/**
 * What an export adds: plain-record fields that CortexGraph has no place for, and in `exact` the values that its form rounds or folds,
 * each beside what the line shows, so that a line CortexGraph has since changed is told from one that it has not.
 */
const ownBlockSchema = z.looseObject({
  exact: z.record(z.string(), z.object({ shown: valueOrNone, is: valueOrNone })).exactOptional(),
  extra: jsonObjectSchema.exactOptional(),
});
type OwnBlock = z.infer<typeof ownBlockSchema>;

type Fields = Readonly<Record<string, JsonValue | undefined>>;

export function cortexgraphMemory(line: JsonObject): Parsed<IncomingMemory> {
  const meta = metaOf(line);
  if (!meta.ok) return meta;
  const { block, fields: metaFields, rest: metaRest } = meta.value;
  const top = splitFields(exactLine(line, block), MEMORY_NAMES);
  const rest = restOf(top.rest, metaRest);
  const place = placeOfNote(top.known.vaultPath);
  const own = splitFields(block as JsonObject, RECORD_NAMES).known;
  const { vaultPath: _vaultPath, ...known } = withoutIdleUse(top.known);
  const fields = { ...own, ...known, ...metaFields, ...place.fields };
  const parsed = parseFields(partFor(incomingFieldsSchema, fields), fields, ALL_NAMES);
  if (!parsed.ok) return parsed;
  const { id } = parsed.value;
  if (id === undefined) return { ok: false, reason: "id: expected an id" };
  return {
    ok: true,
    value: { ...parsed.value, id, extra: { ...rest, ...place.extra, ...block.extra } },
  };
}

interface Meta {
  readonly fields: Fields;
  readonly rest: JsonObject;
  readonly block: OwnBlock;
}

function metaOf(line: JsonObject): Parsed<Meta> {
  const meta = line.meta ?? {};
  if (!isObject(meta)) return { ok: false, reason: "meta: expected an object" };
  const { known, rest } = splitFields(meta, META_NAMES);
  const { extra, ...others } = rest;
  const free = extra ?? {};
  if (!isObject(free)) return { ok: false, reason: "meta.extra: expected an object" };
  const { [OWN_KEY]: own, ...kept } = free;
  const block = ownBlockSchema.safeParse(own ?? {});
  if (!block.success) return { ok: false, reason: `meta.extra.${OWN_KEY}: not as exported` };
  const remains = Object.keys(kept).length === 0 ? others : { ...others, extra: kept };
  return { ok: true, value: { fields: known, rest: remains, block: block.data } };
}

/** The line with its exact values in place of those it shows, where it still shows what was exported. */
function exactLine(line: JsonObject, block: OwnBlock): JsonObject {
  const entries = Object.entries(block.exact ?? {}).map(([name, { shown, is }]) => {
    const now = line[name] ?? null;
    if (now === shown) return [name, is] as const;
    const isCount = name === "use_count" && typeof now === "number";
    // Uses that CortexGraph counted since are added to our own.
    return [name, isCount ? Math.max(0, Number(is) + now - Number(shown)) : now] as const;
  });
  return { ...line, ...Object.fromEntries(entries) };
}

function restOf(top: JsonObject, meta: JsonObject): JsonObject {
  const { meta: _meta, embed: _embed, ...rest } = top;
  const unknown = Object.fromEntries(
    Object.entries(rest).filter(([key, value]) => !isIdle(key, value)),
  );
  return Object.keys(meta).length === 0 ? unknown : { ...unknown, meta };
}

export function isIdle(key: string, value: JsonValue): boolean {
  return COMPUTED_FIELDS.some((field) => field === key) && (value === 0 || value === null);
}

/** CortexGraph always writes a last use; of a memory never used it is the creation. */
function withoutIdleUse(known: Fields): Fields {
  const { lastUsedAt, ...others } = known;
  return lastUsedAt === undefined || sameTime(lastUsedAt, known.createdAt) ? others : known;
}

function sameTime(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  try {
    return parseInstant(a, "last_used") === parseInstant(b, "created_at");
  } catch {
    // What is no time is reported where the fields are checked.
    return false;
  }
}

/** `promoted_to` names a note by its path; only one relative to the vault can be ours. */
function placeOfNote(to: JsonValue | undefined): {
  readonly fields: Fields;
  readonly extra: JsonObject;
} {
  if (to === undefined) return { fields: {}, extra: {} };
  const isForeign = typeof to === "string" && !isVaultPath(to);
  return isForeign
    ? { fields: {}, extra: { promoted_to: to } }
    : { fields: { vaultPath: to }, extra: {} };
}

export function isVaultPath(text: string): boolean {
  return !/^(?:[/~]|[A-Za-z]:|$)|\\|(?:^|\/)\.\.(?:\/|$)/.test(text);
}

const RELATION_NAMES = {
  id: "id",
  from_memory_id: "from",
  to_memory_id: "to",
  relation_type: "type",
  strength: "strength",
  created_at: "createdAt",
  metadata: "metadata",
} as const;

/** Fields of a relation that nobody knows, kept in its metadata. */
export const UNKNOWN_KEY = "cortexgraph";

export function cortexgraphRelation(line: JsonObject): Parsed<IncomingRelation> {
  const given = line.metadata ?? {};
  if (!isObject(given)) return { ok: false, reason: "metadata: expected an object" };
  const { [OWN_KEY]: own = {}, ...metadata } = given;
  const block = ownBlockSchema.safeParse(own);
  if (!block.success) return { ok: false, reason: `metadata.${OWN_KEY}: not as exported` };
  const { known, rest } = splitFields(exactLine(line, block.data), RELATION_NAMES);
  const { exact: _exact, ...stated } = block.data;
  const kept = Object.keys(rest).length === 0 ? metadata : { ...metadata, [UNKNOWN_KEY]: rest };
  const fields = { ...stated, ...known, metadata: kept };
  return parseFields(incomingRelationSchema, fields, RELATION_NAMES);
}
