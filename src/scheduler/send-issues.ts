import { SlowwaveError } from "../model/errors.ts";
import type { Issue } from "../model/issue.ts";
import type { IssueMirror, MirroredIssue } from "../ports/issue-tracker.ts";
import type { RecordPut } from "../ports/memory-store.ts";
import { donePut, type IssueRow, opOf, readOwed } from "./issue-outbox.ts";
import { rebaseIssue } from "./rebase-issue.ts";
import type { RunDeps } from "./run-deps.ts";

/**
 * Step 5 of the commit protocol: writes to the tracker what is owed to it. Also what recovery calls for a run that was killed before it: an
 * operation that the tracker has already is not written again. Returns what a person should know; what cannot be written now stays in the
 * outbox for the next run.
 */
export async function sendIssues(deps: RunDeps): Promise<readonly string[]> {
  const { mirror, store } = deps;
  if (mirror === undefined) return [];
  const debts = await readDebts(deps);
  if (debts.length === 0) return [];
  const settled = new Map<string, Settled>();
  const failures = await sendAll(debts, { mirror, settled });
  const done = debts.filter(({ key }) => settled.has(key));
  const puts = done.flatMap((debt) => settlingPuts(debt, settled.get(debt.key)));
  const result = await store.commit(puts);
  // Somebody changed one of the issues in this moment. The tracker has the operations, so the next run only finds that.
  if (!result.ok) await store.commit(done.flatMap(({ rows }) => rows.map(donePut)));
  return noteOf(debts.length - done.length, failures);
}

/** All that is owed about one issue, which is sent as it stands now. */
interface Debt {
  readonly key: string;
  readonly issue: Issue | undefined;
  /** What the tracker was last told; `null`: nothing. */
  readonly before: Issue | null;
  readonly op: string;
  readonly rows: readonly IssueRow[];
}

/** What the issue is after it was sent. */
interface Settled {
  readonly issue: Issue | undefined;
}

async function readDebts(deps: RunDeps): Promise<readonly Debt[]> {
  const rowsOf = new Map<string, IssueRow[]>();
  for (const row of await readOwed(deps)) {
    const key = keyOf(row.issue);
    rowsOf.set(key, [...(rowsOf.get(key) ?? []), row]);
  }
  if (rowsOf.size === 0) return [];
  const ids = [
    ...new Set([...rowsOf.values()].flatMap((rows) => rows.map(({ issue }) => issue.id))),
  ];
  const found = await deps.store.read("issue", { ids });
  const issues = new Map(found.map((issue) => [keyOf(issue), issue]));
  return [...rowsOf].flatMap(([key, rows]) => {
    const [first] = rows;
    const last = rows.at(-1);
    if (first === undefined || last === undefined) return [];
    const { before } = first.issue;
    return [{ key, issue: issues.get(key), before, op: opOf(last), rows }];
  });
}

function keyOf({ namespace, id }: { readonly namespace: string; readonly id: string }): string {
  return JSON.stringify([namespace, id]);
}

interface Sending {
  readonly mirror: IssueMirror;
  readonly settled: Map<string, Settled>;
}

/** Together; where that is refused, one by one, so that one which the tracker does not take keeps no other back. */
async function sendAll(debts: readonly Debt[], sending: Sending): Promise<readonly string[]> {
  const failure = await trySending(debts, sending);
  if (failure === undefined) return [];
  if (debts.length === 1 || !(await answers(sending.mirror))) return [failure];
  const failures: string[] = [];
  for (const debt of debts) {
    // In turn: one command of the tracker at a time.
    const one = await trySending([debt], sending);
    if (one !== undefined) failures.push(one);
    if (failures.length === MOST_FAILURES) break;
  }
  return failures;
}

/** Then it is no single issue that is the matter. */
const MOST_FAILURES = 3;

async function answers(mirror: IssueMirror): Promise<boolean> {
  try {
    await mirror.readAll();
    return true;
  } catch (error) {
    if (error instanceof SlowwaveError) return false;
    throw error;
  }
}

async function trySending(
  debts: readonly Debt[],
  { mirror, settled }: Sending,
): Promise<string | undefined> {
  const results = new Map<string, Settled>();
  try {
    await mirror.writeAll((found) => {
      const byId = new Map(found.map((one) => [one.record.id, one]));
      return debts.flatMap((debt) => {
        const issue = decide(debt, byId.get(debt.issue?.id ?? ""));
        results.set(debt.key, { issue: issue ?? debt.issue });
        return issue === undefined ? [] : [{ issue, op: debt.op }];
      });
    });
  } catch (error) {
    if (!(error instanceof SlowwaveError)) throw error;
    return error.message;
  }
  for (const [key, result] of results) settled.set(key, result);
  return undefined;
}

/** What is to be written; `undefined` where that has been done, or there is nothing to tell. */
function decide({ issue, before, op }: Debt, found: MirroredIssue | undefined): Issue | undefined {
  if (issue === undefined) return undefined;
  if (found === undefined) return issue.undone ? undefined : issue;
  if (found.op === op) return undefined;
  const view = found.change(found.record);
  return rebaseIssue({ before: before ?? found.record, after: issue, view });
}

function settlingPuts(debt: Debt, settled: Settled | undefined): readonly RecordPut[] {
  const { issue: before, rows } = debt;
  const after = settled?.issue;
  const isNews = before !== undefined && after !== undefined && after !== before;
  return [...(isNews ? [{ record: "issue", before, after } as const] : []), ...rows.map(donePut)];
}

function noteOf(left: number, failures: readonly string[]): readonly string[] {
  if (left === 0) return [];
  const what = left === 1 ? "1 issue waits" : `${left} issues wait`;
  return [`tracker: ${what} to be written by the next run: ${[...new Set(failures)].join("; ")}`];
}
