import type { Instant } from "../model/instant.ts";
import type { Issue } from "../model/issue.ts";
import type { OutboxItem } from "../model/run.ts";
import type { RecordPut } from "../ports/memory-store.ts";
import type { RunDeps } from "./run-deps.ts";

/** A row of the outbox about an issue. */
export type IssueRow = OutboxItem & Required<Pick<OutboxItem, "issue">>;

/**
 * Where issues are kept outside of the store, whatever changes an issue owes that change to the tracker, and says so in the same commit:
 * a crash cannot forget it. A commit that settles such rows itself owes nothing.
 */
export function oweIssues(deps: RunDeps): RunDeps {
  const { mirror, store, clock } = deps;
  if (mirror === undefined) return deps;
  const commit = (puts: readonly RecordPut[]) =>
    store.commit([...puts, ...rowsFor(puts, clock.now())]);
  return { ...deps, store: { ...store, commit } };
}

function rowsFor(puts: readonly RecordPut[], now: Instant): readonly RecordPut[] {
  if (puts.some((put) => put.record === "outbox" && put.after.kind === "tracker")) return [];
  const journal = puts.find((put) => put.record === "journal");
  const runId = journal?.after.runId ?? `at-${now}`;
  return puts.flatMap((put) =>
    put.record === "issue" ? rowPut(put.after, { runId, at: now, before: put.before }) : [],
  );
}

/** The row that makes an issue owed. Its id is the operation's: a run, an issue, and which of its revisions. */
export function rowPut(
  issue: Issue,
  owed: { readonly runId: string; readonly at: Instant; readonly before: Issue | null },
): RecordPut {
  const { runId, at, before } = owed;
  const { namespace, id, revision } = issue;
  const after: OutboxItem = {
    id: `${TRACKER}${runId}:${id}@${revision}`,
    runId,
    kind: "tracker",
    state: "open",
    at,
    paths: [],
    issue: { namespace, id, before },
    revision: 1,
  };
  return { record: "outbox", before: null, after };
}

const TRACKER = "tracker:";

/** The operation's name, which the tracker keeps with the issue. */
export function opOf({ id }: OutboxItem): string {
  return id.slice(TRACKER.length);
}

/** The row, done. What the issue was before is of no more use. */
export function donePut(row: IssueRow): RecordPut {
  const issue = { ...row.issue, before: null };
  return {
    record: "outbox",
    before: row,
    after: { ...row, state: "done", issue, revision: row.revision + 1 },
  };
}

/** What is owed, oldest first. */
export async function readOwed({ store }: Pick<RunDeps, "store">): Promise<readonly IssueRow[]> {
  const open = await store.read("outbox", { state: ["open"] });
  return open.filter(isIssueRow).sort((a, b) => a.at - b.at || revisionOf(a) - revisionOf(b));
}

export function isIssueRow(item: OutboxItem): item is IssueRow {
  return item.issue !== undefined;
}

function revisionOf({ issue }: IssueRow): number {
  return issue.before?.revision ?? 0;
}
