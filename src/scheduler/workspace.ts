import type { Change } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import type { Issue } from "../model/issue.ts";
import { type Memory, memoryKey } from "../model/memory.ts";
import type { Relation } from "../model/relation.ts";
import type { JournalSteps } from "../model/run.ts";
import type { Snapshot } from "../ports/memory-store.ts";
import type { View } from "../ports/view.ts";
import { isPut, type PutChange } from "./changes.ts";
import { createRelationIndex } from "./relation-index.ts";
import { createUsageIndex } from "./usage-index.ts";

/** A view that grows: effects of earlier agents are folded in between agents, never while one runs. */
export interface Workspace {
  readonly view: View;
  /** Notes are no part of the view; their changes are passed over. */
  fold(changes: readonly Change[]): void;
  /**
   * The changes as the store can take them: what is made anew although a run made it before and was undone is the same record, since ids
   * follow from content; it comes back as that record's next revision.
   */
  revive(changes: readonly Change[]): readonly Change[];
}

/**
 * The overlay over one snapshot. Dry and live runs see the same, so what a dry run shows is what a live run would do.
 */
export function createWorkspace(input: {
  readonly snapshot: Snapshot;
  readonly now: Instant;
  /** Applied batches of the last day at least, for the caps. */
  readonly journal: readonly JournalSteps[];
}): Workspace {
  const { snapshot, now, journal } = input;
  const memories = createMemoryIndex(snapshot.memories);
  const relations = createRelationIndex(snapshot.relations);
  const issues = createIssueIndex(snapshot.issues);
  const usage = createUsageIndex(snapshot.uses, now);
  const view: View = {
    now,
    storeId: snapshot.storeId,
    namespaces: () => memories.namespaces(),
    memories: (namespace) => memories.list(namespace),
    memory: (namespace, id) => memories.get(namespace, id),
    relationsOf: (namespace, memoryId) => relations.of(namespace, memoryId),
    tiesOf: (namespace, memoryId) => relations.tiesOf(namespace, memoryId),
    relation: (namespace, id) => relations.get(namespace, id),
    issues: () => issues.list(),
    issueByFingerprint: (fingerprint) => issues.byFingerprint(fingerprint),
    usage: (memory) => usage.of(memory, (id) => memories.get(memory.namespace, id)),
    hasUsageSignal: (namespace) => usage.hasSignal(namespace, memories.list(namespace)),
    vectors: (wanted) => snapshot.vectors(wanted),
    appliedSince: (step) => countSteps(journal, step),
  };
  const fold = (change: Change): void => {
    if (!isPut(change) || change.after === null) return;
    if (change.kind === "memory.put") memories.put(change.after);
    else if (change.kind === "relation.put") relations.put(change.after);
    else issues.put(change.after);
  };
  const undoneOf = (change: PutChange): Memory | Relation | undefined => {
    if (change.kind === "memory.put" && change.after) return memories.undone(change.after);
    if (change.kind === "relation.put" && change.after) return relations.undone(change.after);
    return undefined;
  };
  return {
    view,
    fold: (changes) => {
      for (const change of changes) fold(change);
    },
    revive: (changes) =>
      changes.map((change) =>
        isPut(change) && change.before === null ? asRevision(change, undoneOf(change)) : change,
      ),
  };
}

function asRevision(change: PutChange, before: Memory | Relation | undefined): PutChange {
  if (before === undefined || change.after === null) return change;
  const after = { ...change.after, revision: before.revision + 1 };
  // The record was found under the kind and key of the change, so its image is of the same type.
  return { ...change, before, after } as PutChange;
}

function countSteps(
  journal: readonly JournalSteps[],
  wanted: {
    readonly agent: string;
    readonly action: string;
    readonly namespace: string;
    readonly since: Instant;
  },
): number {
  let count = 0;
  for (const entry of journal) {
    if (entry.state !== "applied" || entry.at <= wanted.since) continue;
    for (const step of entry.steps) {
      const matches =
        step.agent === wanted.agent &&
        step.action === wanted.action &&
        step.namespace === wanted.namespace;
      if (matches) count += 1;
    }
  }
  return count;
}

function createMemoryIndex(initial: readonly Memory[]) {
  const byNamespace = new Map<string, Map<string, Memory>>();
  const sorted = new Map<string, readonly Memory[]>();
  const put = (memory: Memory): void => {
    const known = byNamespace.get(memory.namespace) ?? new Map<string, Memory>();
    known.set(memory.id, memory);
    byNamespace.set(memory.namespace, known);
    sorted.delete(memory.namespace);
  };
  for (const memory of initial) put(memory);
  return {
    put,
    namespaces: (): readonly string[] => [...byNamespace.keys()].sort(),
    get: (namespace: string, id: string) => visible(byNamespace.get(namespace)?.get(id)),
    undone: ({ namespace, id }: Memory): Memory | undefined => {
      const found = byNamespace.get(namespace)?.get(id);
      return visible(found) === undefined ? found : undefined;
    },
    list: (namespace: string): readonly Memory[] => {
      const cached = sorted.get(namespace);
      if (cached) return cached;
      const all = [...(byNamespace.get(namespace)?.values() ?? [])].filter((memory) =>
        visible(memory),
      );
      const list = all.sort(byId);
      sorted.set(namespace, list);
      return list;
    },
  };
}

/** A memory made by a run that was undone is kept in the store and seen by nobody. */
function visible(memory: Memory | undefined): Memory | undefined {
  return memory?.archivedReason === "undone" ? undefined : memory;
}

function createIssueIndex(initial: readonly Issue[]) {
  const byKey = new Map<string, Issue>();
  const keyByFingerprint = new Map<string, string>();
  let sorted: readonly Issue[] | undefined;
  const put = (issue: Issue): void => {
    byKey.set(memoryKey(issue), issue);
    keyByFingerprint.set(issue.fingerprint, memoryKey(issue));
    sorted = undefined;
  };
  for (const issue of initial) put(issue);
  return {
    put,
    list: (): readonly Issue[] => {
      sorted ??= [...byKey.values()].sort(byId);
      return sorted;
    },
    byFingerprint: (fingerprint: string) => byKey.get(keyByFingerprint.get(fingerprint) ?? ""),
  };
}

/** By UTF-16 code units: the same order on every machine and locale. */
function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  if (a.id === b.id) return 0;
  return a.id < b.id ? -1 : 1;
}
