import type { Instant } from "../model/instant.ts";
import { closeIssueRecord, ISSUE_LABELS, type Issue } from "../model/issue.ts";
import { memoryKey } from "../model/memory.ts";
import type { IssueMirror } from "../ports/issue-tracker.ts";
import type { MemoryStore, RecordPut, Snapshot } from "../ports/memory-store.ts";
import { isIssueRow, rowPut } from "./issue-outbox.ts";
import { takenIn } from "./rebase-issue.ts";
import type { RunDeps } from "./run-deps.ts";

/**
 * Brings what people did in the tracker into the store, before a run decides upon it. `deps` must owe what changes, so that the tracker
 * learns that it was seen. Returns what a person should know.
 * @throws SlowwaveError `tracker` where it cannot be read: a run that does not know what people said must not act.
 */
export async function takeInIssues(deps: RunDeps): Promise<readonly string[]> {
  const { mirror, store } = deps;
  if (mirror === undefined) return [];
  const now = deps.clock.now();
  const { changed, unsent } = await readOutside({ mirror, store, now });
  await commitAll(changed, store);
  // Apart: a commit of such rows owes nothing of itself.
  const owed = { runId: `unsent-${now}`, at: now, before: null };
  await commitAll(
    unsent.map((issue) => rowPut(issue, owed)),
    store,
  );
  if (changed.length === 0) return [];
  const what = changed.length === 1 ? "1 issue" : `${changed.length} issues`;
  return [`tracker: took in what people did there with ${what}`];
}

/** The snapshot as a live run would find it after that. Writes nothing. */
export async function withOutsideIssues(snapshot: Snapshot, deps: RunDeps): Promise<Snapshot> {
  const { mirror, store } = deps;
  if (mirror === undefined) return snapshot;
  const { changed } = await readOutside({ mirror, store, now: deps.clock.now() });
  const issues = new Map(snapshot.issues.map((issue) => [memoryKey(issue), issue]));
  for (const { after } of changed) issues.set(memoryKey(after), after);
  return { ...snapshot, issues: [...issues.values()].sort((a, b) => (a.id < b.id ? -1 : 1)) };
}

interface Outside {
  readonly changed: readonly IssuePut[];
  /** Open issues that the tracker was never told of: it was chosen later than they were made. */
  readonly unsent: readonly Issue[];
}

type IssuePut = Extract<RecordPut, { readonly record: "issue" }>;

async function readOutside(input: {
  readonly mirror: IssueMirror;
  readonly store: MemoryStore;
  readonly now: Instant;
}): Promise<Outside> {
  const { mirror, store, now } = input;
  const outside = await mirror.readAll();
  const issues = await store.read("issue");
  const known = new Map(issues.map((issue) => [memoryKey(issue), issue]));
  const news = outside.some(({ record }) => !known.has(memoryKey(record)));
  const gone = news ? await readTold(store) : new Set<string>();
  const changed = outside.flatMap((one): IssuePut[] => {
    const before = known.get(memoryKey(one.record));
    // What the tracker was told of and the store has no more was purged, and must not come back.
    if (before === undefined && gone.has(one.record.id)) return [];
    const after = takenIn(before, one);
    if (after === undefined || after === before) return [];
    return [{ record: "issue", before: before ?? null, after }];
  });
  const there = new Set(outside.map(({ record }) => record.id));
  const absent = issues.filter(
    ({ id, status, undone }) => status !== "closed" && !undone && !there.has(id),
  );
  const told = absent.length === 0 ? new Set<string>() : await readTold(store);
  const deleted = absent.filter(({ id }) => told.has(id)).map((before) => deletedPut(before, now));
  return { changed: [...changed, ...deleted], unsent: absent.filter(({ id }) => !told.has(id)) };
}

/** Ids of the issues that the tracker has had, or is about to be given. */
async function readTold(store: MemoryStore): Promise<ReadonlySet<string>> {
  const rows = (await store.read("outbox")).filter(isIssueRow);
  return new Set(rows.map(({ issue }) => issue.id));
}

/** Who deletes an issue wants nothing done about it. */
function deletedPut(before: Issue, at: Instant): IssuePut {
  const labels = before.labels.filter((label) => label !== ISSUE_LABELS.approved);
  const closing = { reason: "deleted from the tracker", by: "person:tracker", at };
  return { record: "issue", before, after: closeIssueRecord({ ...before, labels }, closing) };
}

async function commitAll(puts: readonly RecordPut[], store: MemoryStore): Promise<void> {
  if (puts.length === 0) return;
  const result = await store.commit(puts);
  if (result.ok) return;
  const ids = result.conflicts.map(({ put }) => put.after.id).join(", ");
  throw new Error(`issues ${ids} were changed while the tracker was read`);
}
