import type { Change } from "../model/change.ts";
import type { Issue } from "../model/issue.ts";
import { canonicalJson } from "../model/json.ts";
import type { Memory } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import type { RecordPut } from "../ports/memory-store.ts";
import { recordKey } from "../ports/store-rules.ts";

export type PutChange = Extract<Change, { kind: "memory.put" | "relation.put" | "issue.put" }>;
export type NotePut = Extract<Change, { kind: "note.put" }>;

export function isPut(change: Change): change is PutChange {
  return change.kind !== "note.put" && change.kind !== "note.move";
}

/** The record a put writes: the same for its before- and after-image. */
function imageOf(change: PutChange): Memory | Relation | Issue {
  const image = change.after ?? change.before;
  if (image === null) throw new Error(`a ${change.kind} without any image`);
  return image;
}

/** Names what a change touches, over records and notes alike: two changes of one key must keep their order. */
export function keysOf(change: Change): readonly string[] {
  if (isPut(change)) return [recordKey(recordKindOf(change), imageOf(change))];
  return change.kind === "note.put"
    ? [noteKey(change.path)]
    : [noteKey(change.from), noteKey(change.to)];
}

function noteKey(path: string): string {
  return JSON.stringify(["note", path]);
}

function recordKindOf(change: PutChange): "memory" | "relation" | "issue" {
  switch (change.kind) {
    case "memory.put":
      return "memory";
    case "relation.put":
      return "relation";
    case "issue.put":
      return "issue";
  }
}

export function keyOfPut(put: RecordPut): string {
  return recordKey(put.record, put.after);
}

/**
 * One change a record or note: the first `before` and the last `after`, in order of first touch. A record that ends as it began
 * drops out.
 */
export function foldChanges(changes: readonly Change[]): readonly Change[] {
  const folded = new Map<string, Change>();
  for (const change of changes) {
    const key = keysOf(change).join();
    const earlier = folded.get(key);
    folded.set(key, earlier === undefined ? change : withBefore(change, earlier));
  }
  return [...folded.values()].filter((change) => !isUnchanged(change));
}

function withBefore(change: Change, earlier: Change): Change {
  if (!("before" in change) || !("before" in earlier)) return change;
  // Both changes have one key, so they are of one kind and their images of one type.
  return { ...change, before: earlier.before } as Change;
}

function isUnchanged(change: Change): boolean {
  return "before" in change && canonicalJson(change.before) === canonicalJson(change.after);
}

/** A folded put as the store takes it. */
export function toRecordPut(change: PutChange): RecordPut {
  const { before, after } = change;
  if (after === null)
    throw new Error(`a ${change.kind} must not delete: write the record as undone`);
  // The kind ties images and record name together; the compiler sees the three unions apart.
  return { record: recordKindOf(change), before, after } as RecordPut;
}
