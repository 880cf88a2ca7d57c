import { toIso } from "../model/instant.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import type { Memory } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import {
  COMPUTED_FIELDS,
  isCortexgraphField,
  isCortexgraphMetaField,
  isIdle,
  isVaultPath,
  OWN_KEY,
  UNKNOWN_KEY,
} from "./cortexgraph-form.ts";
import { isObject } from "./parse-line.ts";
import { type FoldedUse, recordFromMemory, withoutAbsent } from "./record-form.ts";

/** A memory's uses, as its own and with those of the memories it was merged from. */
export interface ShownUse {
  readonly own: FoldedUse;
  readonly withLeaves: FoldedUse;
}

/**
 * A memory as CortexGraph stores it: times in whole seconds, uses with those of merged sources, so that its decay sees them. What that
 * form rounds, folds or lacks stands under `meta.extra.slowwave`.
 */
export function cortexgraphMemoryLine(memory: Memory, { own, withLeaves }: ShownUse): JsonObject {
  const { vaultPath, extra } = memory;
  const parts = extraParts(extra, vaultPath !== undefined);
  const shown = {
    created_at: seconds(memory.createdAt),
    last_used: seconds(withLeaves.lastUsedAt ?? memory.createdAt),
    use_count: withLeaves.useCount,
    promoted_at: secondsOrNull(memory.promotedAt),
    last_review_at: secondsOrNull(memory.lastReviewedAt),
  };
  const block = ownBlock(memory, own, shown, parts.own);
  const { extra: metaExtra = {}, ...meta } = parts.meta;
  return {
    id: memory.id,
    content: memory.content,
    meta: {
      tags: memory.tags,
      source: memory.source ?? null,
      context: memory.context ?? null,
      ...meta,
      extra: { ...(isObject(metaExtra) ? metaExtra : {}), [OWN_KEY]: block },
    },
    ...shown,
    strength: memory.strength,
    status: memory.status,
    promoted_to: vaultPath ?? parts.promotedTo ?? null,
    embed: null,
    entities: memory.entities,
    ...Object.fromEntries(COMPUTED_FIELDS.map((field) => [field, 0])),
    review_count: memory.reviewCount,
    ...parts.top,
  };
}

export function cortexgraphRelationLine(relation: Relation): JsonObject {
  const { [UNKNOWN_KEY]: unknown, ...metadata } = relation.metadata;
  const created = seconds(relation.createdAt);
  const exact = exactTime("created_at", { created_at: created }, relation.createdAt);
  const block = withoutAbsent({
    namespace: relation.namespace,
    reason: relation.reason,
    exact: Object.keys(exact).length === 0 ? undefined : exact,
  });
  return {
    ...(isObject(unknown) ? unknown : {}),
    id: relation.id,
    from_memory_id: relation.from,
    to_memory_id: relation.to,
    relation_type: relation.type,
    strength: relation.strength,
    created_at: created,
    metadata: { ...(isObject(unknown) ? metadata : relation.metadata), [OWN_KEY]: block },
  };
}

function seconds(instant: number): number {
  return Math.floor(instant / 1000);
}

function secondsOrNull(instant: number | undefined): number | null {
  return instant === undefined ? null : seconds(instant);
}

interface ExtraParts {
  /** Unknown fields of the line itself. */
  readonly top: JsonObject;
  /** Unknown fields of its `meta`. */
  readonly meta: JsonObject;
  readonly promotedTo: string | undefined;
  /** What has no place of its own in the line, or would be read as something else there. */
  readonly own: JsonObject;
}

function extraParts({ meta, promoted_to, ...rest }: JsonObject, hasNote: boolean): ExtraParts {
  const entries = Object.entries(rest);
  const isPlain = ([key, value]: readonly [string, JsonValue]) =>
    !isCortexgraphField(key) && !isIdle(key, value);
  const standsInMeta = meta !== undefined && isMetaRest(meta);
  const takesNote = typeof promoted_to === "string" && !hasNote && !isVaultPath(promoted_to);
  return {
    top: Object.fromEntries(entries.filter(isPlain)),
    meta: standsInMeta ? meta : {},
    promotedTo: takesNote ? promoted_to : undefined,
    own: withoutAbsent({
      ...Object.fromEntries(entries.filter((entry) => !isPlain(entry))),
      meta: standsInMeta ? undefined : meta,
      promoted_to: takesNote ? undefined : promoted_to,
    }),
  };
}

/** True for what `meta` gives back as it is: an object with fields, none of which has a meaning there. */
function isMetaRest(meta: JsonValue): meta is JsonObject {
  if (!isObject(meta) || Object.keys(meta).length === 0) return false;
  const { extra } = meta;
  const keepsExtra =
    extra === undefined ||
    (isObject(extra) && Object.keys(extra).length > 0 && !Object.hasOwn(extra, OWN_KEY));
  return keepsExtra && !Object.keys(meta).some(isCortexgraphMetaField);
}

/** Of a plain record, what CortexGraph's line has no field for. */
const OWN_FIELDS = [
  "namespace",
  "kind",
  "confidence",
  "pinned",
  "disputed",
  "archived_at",
  "archived_reason",
  "superseded_by",
  "valid_from",
  "valid_to",
  "expires_at",
  "leaves",
  "provenance",
  "content_hash",
] as const;

type Shown = Readonly<Record<string, number | null>>;

function ownBlock(memory: Memory, own: FoldedUse, shown: Shown, extra: JsonObject): JsonObject {
  const record = recordFromMemory(memory, own);
  const fields = OWN_FIELDS.map((field) => [field, record[field]] as const);
  const isTold = ([field, value]: readonly [string, JsonValue | undefined]) =>
    value !== undefined && !isDefault(field, value);
  const exact = exactValues(memory, own, shown);
  return withoutAbsent({
    ...Object.fromEntries(fields.filter(isTold)),
    exact: Object.keys(exact).length === 0 ? undefined : exact,
    extra: Object.keys(extra).length === 0 ? undefined : extra,
  });
}

function isDefault(field: string, value: JsonValue): boolean {
  // An empty chain of custody is told too, or the import would begin one.
  if (field === "provenance") return false;
  if (field === "kind") return value === "semantic";
  return value === false || (Array.isArray(value) && value.length === 0);
}

function exactValues(memory: Memory, own: FoldedUse, shown: Shown): JsonObject {
  const isWholeSecond = memory.createdAt % 1000 === 0;
  const lastUsed = own.lastUsedAt;
  const uses = shown.use_count ?? 0;
  return {
    ...exactTime("created_at", shown, memory.createdAt),
    ...exactTime("promoted_at", shown, memory.promotedAt),
    ...exactTime("last_review_at", shown, memory.lastReviewedAt),
    ...(uses === own.useCount ? {} : { use_count: { shown: uses, is: own.useCount } }),
    ...exactTime("last_used", shown, lastUsed ?? (isWholeSecond ? memory.createdAt : undefined)),
  };
}

/** What a time is, where the line shows it rounded or shows another. */
function exactTime(name: string, shown: Shown, instant: number | undefined): JsonObject {
  const seen = shown[name] ?? null;
  if (instant === undefined) return seen === null ? {} : { [name]: { shown: seen, is: null } };
  return seen !== null && seen * 1000 === instant
    ? {}
    : { [name]: { shown: seen, is: toIso(instant) } };
}
