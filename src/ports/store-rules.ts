import { canonicalJson } from "../model/json.ts";
import type { Memory } from "../model/memory.ts";
import type { Use } from "../model/use.ts";
import type {
  RecordCount,
  RecordFilter,
  RecordImage,
  RecordKind,
  RecordPut,
  StoredRecords,
} from "./memory-store.ts";

/** The rules that every store keeps, whatever it is made of. All are pure. */

export type StoredRecord = StoredRecords[RecordKind];

/** Identity of a record: an imported id may equal an issue's, or one in another namespace. ASCII where the id is. */
export function recordKey(record: RecordKind, value: StoredRecord): string {
  return JSON.stringify([record, namespaceOf(value), value.id]);
}

/** Runs, journal and outbox belong to no namespace: "". */
export function namespaceOf(value: StoredRecord): string {
  return "namespace" in value ? value.namespace : "";
}

export type PutStanding = "to write" | "written" | "conflict";

/** What is to be done about a put, given what stands in the store. */
export function standingOfPut(put: RecordPut, found: StoredRecord | null): PutStanding {
  // Most puts make what is not there yet, and writing out a record takes as long as checking it.
  if (found === null) return put.before === null ? "to write" : "conflict";
  const standing = canonicalJson(found);
  if (standing === canonicalJson(put.after)) return "written";
  return standing === canonicalJson(put.before) ? "to write" : "conflict";
}

/** How a record stands to the image by which it is to be removed. */
export function standingOfImage(
  image: StoredRecord,
  found: StoredRecord | null,
): "as given" | "gone" | "moved" {
  if (found === null) return "gone";
  return canonicalJson(found) === canonicalJson(image) ? "as given" : "moved";
}

/** Made, or taken back, by a run that was undone: kept, and seen by nobody. */
export function isUndone(value: StoredRecord): boolean {
  return "archivedReason" in value
    ? value.archivedReason === "undone"
    : "undone" in value && value.undone === true;
}

/** How often each namespace and status is there, less how often it is among `uncounted`. */
export function countFacts(
  counted: readonly CountedFacts[],
  uncounted: readonly CountedFacts[] = [],
): readonly RecordCount[] {
  const counts = new Map<string, RecordCount>();
  const add = ({ namespace, status }: CountedFacts, by: 1 | -1): void => {
    const key = `${status} ${namespace}`;
    const count = (counts.get(key)?.count ?? 0) + by;
    // A kind of record that has a status has one of its own.
    counts.set(key, { namespace, status: status as RecordCount["status"], count });
  };
  for (const facts of counted) add(facts, 1);
  for (const facts of uncounted) add(facts, -1);
  return [...counts.values()]
    .filter(({ count }) => count > 0)
    .sort((a, b) => compareTexts([a.namespace, a.status ?? ""], [b.namespace, b.status ?? ""]));
}

type CountedFacts = Pick<FilterFacts, "namespace" | "status">;

/** Tells whether a record matches all given fields. A field that the kind of record lacks matches nothing. */
export function createMatcher(filter: RecordFilter): (entry: RecordEntry) => boolean {
  const { namespace, since, before } = filter;
  const [ids, status, kind, state, touching] = [
    filter.ids,
    filter.status,
    filter.kind,
    filter.state,
    filter.touching,
  ].map((wanted) => createSetTest(wanted));
  return (entry) => {
    const facts = filterFacts(entry);
    return (
      (namespace === undefined || namespace === facts.namespace) &&
      (since === undefined || (facts.at !== null && facts.at >= since)) &&
      (before === undefined || (facts.at !== null && facts.at < before)) &&
      (!ids || ids([entry.value.id])) &&
      (!status || status([facts.status])) &&
      (!kind || kind([facts.kind])) &&
      (!state || state([facts.state])) &&
      (!touching || touching(facts.ends))
    );
  };
}

function createSetTest(wanted: readonly string[] | undefined) {
  if (wanted === undefined) return undefined;
  const set = new Set<string | null>(wanted);
  return (values: readonly (string | null)[]): boolean => values.some((value) => set.has(value));
}

/** A record with its kind. */
export type RecordEntry = RecordImage;

/** What a record can be asked for by: what `matchesFilter` reads and what a table keeps in columns of their own. */
export interface FilterFacts {
  readonly namespace: string;
  readonly status: string | null;
  /** Of relations: their type. */
  readonly kind: string | null;
  /** When it was made. */
  readonly at: number | null;
  /** Relations: from and to. */
  readonly ends: readonly string[];
  /** Journal and outbox: state; runs: status. */
  readonly state: string | null;
}

const NONE: FilterFacts = {
  namespace: "",
  status: null,
  kind: null,
  at: null,
  ends: [],
  state: null,
};

/** Status of a relation that a run made and an undo took back; others have none. */
export const UNDONE = "undone";

export function filterFacts({ record, value }: RecordEntry): FilterFacts {
  switch (record) {
    case "memory": {
      const { namespace, status, kind, createdAt } = value;
      return { ...NONE, namespace, status, kind, at: createdAt };
    }
    case "relation": {
      const { namespace, createdAt, from, to, type, undone } = value;
      const status = undone ? UNDONE : null;
      return { ...NONE, namespace, status, kind: type, at: createdAt, ends: [from, to] };
    }
    case "issue": {
      const { namespace, status, createdAt } = value;
      return { ...NONE, namespace, status, at: createdAt };
    }
    case "run":
      return { ...NONE, at: value.startedAt, state: value.status };
    case "journal":
    case "outbox":
      return { ...NONE, at: value.at, state: value.state };
  }
}

/** By namespace, then id, in code units, so that every store and every machine agrees. */
export function compareByNamespace(a: StoredRecord, b: StoredRecord): number {
  return compareCodeUnits(namespaceOf(a), namespaceOf(b)) || compareCodeUnits(a.id, b.id);
}

/** The newest first, then by namespace and id. */
export function compareNewest(a: Memory, b: Memory): number {
  return b.createdAt - a.createdAt || compareByNamespace(a, b);
}

/** By id, then namespace. */
export function compareById(a: StoredRecord, b: StoredRecord): number {
  return compareCodeUnits(a.id, b.id) || compareCodeUnits(namespaceOf(a), namespaceOf(b));
}

/** By time, then id. */
export function compareUses(a: Use, b: Use): number {
  return a.at - b.at || compareCodeUnits(a.id, b.id);
}

/** Compares by the first text that differs, in code units. */
export function compareTexts(a: readonly string[], b: readonly string[]): number {
  for (const [index, left] of a.entries()) {
    const order = compareCodeUnits(left, b[index] ?? "");
    if (order !== 0) return order;
  }
  return 0;
}

function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
