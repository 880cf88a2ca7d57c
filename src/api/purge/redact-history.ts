import type { Change } from "../../model/change.ts";
import type { Issue } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Relation } from "../../model/relation.ts";
import type { JournalEntry, OutboxItem, Run } from "../../model/run.ts";
import type { RecordPut } from "../../ports/memory-store.ts";
import type { Traces } from "./traces.ts";

/** In place of what was said. */
export const REMOVED = "(removed)";

export interface Redaction {
  readonly namespace: string;
  /** Memories of which nothing may be left. */
  readonly targetIds: ReadonlySet<string>;
  /** Merged memories that were made of them: their earlier texts go too. */
  readonly mergeIds: ReadonlySet<string>;
  readonly paths: ReadonlySet<string>;
  readonly traces: Traces;
}

/**
 * Takes the words out of what is kept of earlier runs. That a run did something, to which memory and when, stays; an undo of it then finds
 * nothing as the run left it, and says so.
 */
export function redactHistory(
  history: {
    readonly journal: readonly JournalEntry[];
    readonly runs: readonly Run[];
    readonly outbox: readonly OutboxItem[];
  },
  how: Redaction,
): readonly RecordPut[] {
  return [
    ...revised(history.journal, (entry) => redactEntry(entry, how)).map(
      (put) => ({ record: "journal", ...put }) as const,
    ),
    ...revised(history.runs, (run) => ({
      ...run,
      notes: run.notes.map((note) => redactText(note, how)),
    })).map((put) => ({ record: "run", ...put }) as const),
    // A row that is still open names what git has yet to commit.
    ...revised(
      history.outbox.filter(({ state, issue }) => state !== "open" || issue !== undefined),
      (item) => redactRow(item, how),
    ).map((put) => ({ record: "outbox", ...put }) as const),
  ];
}

/** That there was an issue stays: it keeps a tracker outside from bringing it back. */
function redactRow(item: OutboxItem, how: Redaction): OutboxItem {
  const paths = item.paths.filter(({ path }) => !isTheirPath(path, how));
  const before = item.issue?.before;
  if (item.issue === undefined || before == null || !isAbout(before, how))
    return { ...item, paths };
  return { ...item, paths, issue: { ...item.issue, before: null } };
}

function revised<T extends { readonly revision: number }>(
  items: readonly T[],
  redact: (item: T) => T,
): readonly { readonly before: T; readonly after: T }[] {
  return items.flatMap((before) => {
    const after = redact(before);
    const isSame = JSON.stringify(after) === JSON.stringify(before);
    return isSame ? [] : [{ before, after: { ...after, revision: before.revision + 1 } }];
  });
}

function redactEntry(entry: JournalEntry, how: Redaction): JournalEntry {
  const changes = entry.changes.flatMap((change) => redactChange(change, how));
  const steps = entry.steps.map((step) => ({
    ...step,
    reason: redactText(step.reason, how),
    ...(step.touches ? { touches: step.touches.filter((key) => !isTheirKey(key, how)) } : {}),
  }));
  return { ...entry, steps, changes };
}

function redactChange(change: Change, how: Redaction): readonly Change[] {
  switch (change.kind) {
    case "memory.put":
      return [{ ...change, ...images(change, (memory) => redactMemory(memory, how)) }];
    case "relation.put":
      return [{ ...change, ...images(change, (relation) => redactRelation(relation, how)) }];
    case "issue.put":
      return [{ ...change, ...images(change, (issue) => redactIssue(issue, how)) }];
    case "note.put":
      return redactNote(change, how);
    case "note.move":
      return isTheirPath(change.from, how) || isTheirPath(change.to, how) ? [] : [change];
  }
}

function images<T>(
  { before, after }: { readonly before: T | null; readonly after: T | null },
  redact: (image: T) => T,
): { readonly before: T | null; readonly after: T | null } {
  return { before: before && redact(before), after: after && redact(after) };
}

type NotePut = Extract<Change, { kind: "note.put" }>;

/**
 * Never a text in place of another: an undo would write it. The text that we wrote last is kept where it is clean, since a person's edits
 * are told by it.
 */
function redactNote(change: NotePut, how: Redaction): readonly Change[] {
  const { path, before, after } = change;
  const says = (image: NotePut["after"]): boolean => image !== null && how.traces.isIn(image.text);
  if (isTheirPath(path, how) || says(after)) return [];
  if (!says(before)) return [change];
  return after === null ? [] : [{ ...change, before: after }];
}

function redactMemory(memory: Memory, how: Redaction): Memory {
  if (memory.namespace !== how.namespace) return memory;
  if (how.targetIds.has(memory.id)) return blankMemory(memory);
  if (!how.mergeIds.has(memory.id)) return memory;
  return withoutName({ ...memory, content: REMOVED, tags: [], entities: [], extra: {} }, how);
}

/** All that tells of the person or thing; what stays is that there was one, and what became of it. */
export function blankMemory(memory: Memory): Memory {
  const {
    source: _source,
    context: _context,
    vaultPath: _path,
    importHash: _hash,
    ...rest
  } = memory;
  const { promotedWhy: _why, ...kept } = rest;
  return { ...kept, content: REMOVED, tags: [], entities: [], extra: {}, provenance: [] };
}

function withoutName(memory: Memory, how: Redaction): Memory {
  const { vaultPath, ...rest } = memory;
  return vaultPath === undefined || isTheirPath(vaultPath, how) ? rest : { ...rest, vaultPath };
}

function redactRelation(relation: Relation, { namespace, targetIds }: Redaction): Relation {
  const isTheirs =
    relation.namespace === namespace &&
    (targetIds.has(relation.from) || targetIds.has(relation.to));
  if (!isTheirs) return relation;
  const { reason: _reason, ...rest } = relation;
  return { ...rest, metadata: {} };
}

function redactIssue(issue: Issue, how: Redaction): Issue {
  if (!isAbout(issue, how)) return issue;
  const { waiting: _waiting, error: _error, ...notes } = issue.notes;
  return {
    ...issue,
    title: REMOVED,
    notes: { ...notes, reason: REMOVED, details: {} },
    comments: issue.comments.map((comment) => ({ ...comment, text: REMOVED })),
    ...(issue.closeReason === undefined ? {} : { closeReason: REMOVED }),
  };
}

/** An issue that names one of them, or quotes it. */
export function isAbout(issue: Issue, how: Redaction): boolean {
  if (issue.namespace !== how.namespace) return false;
  const isNamed = issue.notes.memoryIds.some((id) => how.targetIds.has(id) || how.mergeIds.has(id));
  return isNamed || how.traces.isIn(JSON.stringify(issue));
}

function redactText(text: string, { traces }: Redaction): string {
  return traces.isIn(text) ? REMOVED : text;
}

function isTheirPath(path: string, { paths, traces }: Redaction): boolean {
  const name = path.split("/").at(-1)?.replace(/\.md$/, "") ?? "";
  return paths.has(path) || traces.isNamedIn(name);
}

/** Of a note, as `keysOf` makes it. */
function isTheirKey(key: string, how: Redaction): boolean {
  const [kind, path]: unknown[] = JSON.parse(key);
  return kind === "note" && typeof path === "string" && isTheirPath(path, how);
}
