import { hashOf } from "../model/hash.ts";
import { type FindingMember, fingerprintOf } from "../model/issue.ts";
import { isLive, type Memory } from "../model/memory.ts";
import type { View } from "../ports/view.ts";
import { verifyMerge } from "../text/merge-check/verify-merge.ts";
import { normalizeText } from "../text/normalize.ts";
import { splitSentences } from "../text/sentences.ts";
import { withAbsoluteDates } from "./absolute-dates.ts";
import { compareIds } from "./work-items.ts";

/** An original that a live memory consists of: itself, or one of those it was merged from. */
export interface Leaf {
  /** The record that holds the words: the live memory itself, or an archived source. */
  readonly record: Memory;
  /** What findings call it: a memory that kept its id through a merge is still named by that id. */
  readonly name: string;
}

/**
 * The originals of a live memory, by id. Merges work on these and never on a merged text, so that merging twice loses no more than merging
 * once. Where a person rewrote a merged memory, or a source is missing, its present content is an original of its own.
 */
export function leavesOf(memory: Memory, view: View): readonly Leaf[] {
  const records = memory.leaves.flatMap((id) => view.memory(memory.namespace, id) ?? []);
  const isWhole = records.length === memory.leaves.length && records.length > 0;
  if (!isWhole || !isMadeOf(memory, records)) return [{ record: memory, name: memory.id }];
  return records.map((record) => {
    const isOwn = record.id === ownLeafId(memory.id, record.content);
    return { record, name: isOwn ? memory.id : record.id };
  });
}

/** The id under which the earlier content of a memory is kept that survives a merge under its own id. */
export function ownLeafId(memoryId: string, content: string): string {
  return `mem-${hashOf(["leaf", memoryId, content], 24)}`;
}

/** As the merge wrote it: then the originals say it all. What a person took out or put in counts, and is not undone by the next merge. */
function isMadeOf(memory: Memory, records: readonly Memory[]): boolean {
  const { content, mergedHash } = memory;
  if (mergedHash !== undefined) return mergedHash === mergedHashOf(content);
  return verifyMerge({ sources: records, merged: content }).length === 0;
}

export function mergedHashOf(content: string): string {
  return hashOf(["merged", content], 16);
}

export function sentenceKeys(text: string): readonly string[] {
  return splitSentences(text).map(normalizeText);
}

/** What a memory says, readable apart from its own time. A merged memory's phrases have their dates: its own time is not theirs. */
export function datedText(memory: Memory): string {
  if (memory.leaves.length > 0) return memory.content;
  return withAbsoluteDates(memory.content, { writtenAt: memory.createdAt });
}

/** What a memory says, for comparison: the same "next Friday" in two weeks is not the same. */
export function comparableText(memory: Memory): string {
  if (memory.leaves.length > 0) return memory.content;
  return withAbsoluteDates(memory.content, { writtenAt: memory.createdAt, ambiguousToo: true });
}

/** What findings of the cluster agent are about: what may become one, contradicts itself, is only linked, or stays apart. */
export type FindingKind = "merge" | "conflict" | "link" | "separate";

/**
 * Names a finding by the originals it is about: merging some of them on the way makes no new finding of it.
 */
export function findingFingerprint(finding: {
  readonly kind: FindingKind;
  readonly namespace: string;
  readonly leaves: readonly Leaf[];
}): string {
  const { kind, namespace, leaves } = finding;
  return fingerprintOf({ agent: "cluster", namespace, action: kind, members: membersOf(leaves) });
}

/** The same object for the same leaf, so that its content is hashed once. */
export function membersOf(leaves: readonly Leaf[]): readonly FindingMember[] {
  return leaves.map((leaf) => {
    const { record, name } = leaf;
    const member = members.get(leaf) ?? { id: name, content: record.content };
    members.set(leaf, member);
    return member;
  });
}

const members = new WeakMap<Leaf, FindingMember>();

/** The live memory that a memory has become, through any number of merges; `undefined` where it is gone. */
export function resolveLive(namespace: string, id: string, view: View): Memory | undefined {
  const seen = new Set<string>();
  let memory = view.memory(namespace, id);
  while (memory?.status === "archived" && memory.archivedReason === "merged") {
    if (memory.supersededBy === undefined || seen.has(memory.id)) return undefined;
    seen.add(memory.id);
    memory = view.memory(namespace, memory.supersededBy);
  }
  return memory?.status === "archived" ? undefined : memory;
}

/** A memory with a note, or one that a person pinned: it never disappears into another. */
export function isAnchored(memory: Memory): boolean {
  return isLive(memory) && (memory.status === "promoted" || memory.pinned);
}

export function uniqueLeaves(leaves: readonly Leaf[]): readonly Leaf[] {
  if (leaves.length < 2) return leaves;
  const byId = new Map(leaves.map((leaf) => [leaf.record.id, leaf]));
  return [...byId.values()].sort((a, b) => compareIds(a.record.id, b.record.id));
}
