import { SlowwaveError } from "../../model/errors.ts";
import { hashOf } from "../../model/hash.ts";
import type { Issue, NewIssue } from "../../model/issue.ts";
import type { BeadsIssue } from "../../ports/beads-line.ts";
import type {
  ClaimRequest,
  ClaimResult,
  IssueActor,
  IssueMirror,
  IssueTracker,
  ReceiveOutcome,
} from "../../ports/issue-tracker.ts";
import {
  approvedIssue,
  blockedIssue,
  claimedIssue,
  closedIssue,
  commentedIssue,
  createdIssue,
  issueNotFound,
  matchesQuery,
  orderIssues,
  receivedIssue,
  reopenedIssue,
} from "../../ports/tracker-rules.ts";
import { type BeadsDatabase, openBeadsDatabase } from "./beads-database.ts";
import type { BdOptions } from "./run-bd.ts";

export interface BeadsTrackerOptions extends BdOptions {
  readonly storeId: string;
  /** One at a time, among the processes of this machine: what is written follows from what was read. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * Issues in a database of beads, by its own command. An issue is read with what people did to it there, a rule says what becomes of it, and
 * the whole is imported again. Claims go by beads' own compare-and-set, so they hold against whoever works with `bd` itself.
 */
export function createBeadsTracker(options: BeadsTrackerOptions): IssueTracker & IssueMirror {
  const database = openBeadsDatabase(options, options.storeId);
  const alone = options.exclusive;
  const change = (id: string, step: (issue: Issue) => Issue) =>
    alone(() => changeIssue(database, id, step));
  return {
    kind: "beads",
    create: (issue, actor) => alone(() => createIn(database, issue, actor)),
    get: (id) => alone(async () => viewOf(findIssue(await database.readAll(), id))),
    query: (query) =>
      alone(async () => {
        const issues = (await database.readAll()).map((one) => one.change(one.record));
        return orderIssues(
          issues.filter((issue) => matchesQuery(issue, query)),
          query,
        );
      }),
    claim: (id, request) => alone(() => claimIn(database, id, request)),
    close: (id, reason, actor) => change(id, (issue) => closedIssue(issue, reason, actor)),
    block: (id, reason, actor) => change(id, (issue) => blockedIssue(issue, reason, actor)),
    reopen: (id, reason, actor) => change(id, (issue) => reopenedIssue(issue, reason, actor)),
    approve: (id, actor, how) => change(id, (issue) => approvedIssue(issue, actor, how)),
    comment: (id, text, actor) => change(id, (issue) => commentedIssue(issue, text, actor)),
    receive: (issue, step) => alone(() => receiveIn(database, issue, step)),
    readAll: () =>
      alone(async () =>
        (await database.readAll()).map((one) => ({
          record: one.record,
          op: one.marks.slowwave_op,
          change: one.change,
        })),
      ),
    writeAll: (decide) => alone(() => writeAll(database, decide)),
  };
}

/** Each stale attempt means that somebody changed an issue within the same second. */
const ATTEMPTS = 5;

async function settle<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count += 1) {
    // In turn, as each attempt decides upon what the one before found changed.
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new SlowwaveError("tracker", "beads: issues are still being changed by others", {
    hint: "Try again in a moment.",
  });
}

function findIssue(issues: readonly BeadsIssue[], id: string): BeadsIssue | undefined {
  return issues.find(({ record }) => record.id === id && !record.undone);
}

function viewOf(found: BeadsIssue | undefined): Issue | undefined {
  return found?.change(found.record);
}

async function put(
  database: BeadsDatabase,
  known: BeadsIssue | undefined,
  after: Issue,
): Promise<boolean> {
  // A step that changed nothing needs no write.
  if (known !== undefined && viewOf(known) === after) return true;
  return (await database.write([{ issue: after, known }])) === "written";
}

async function createIn(database: BeadsDatabase, issue: NewIssue, actor: IssueActor) {
  return await settle(async () => {
    const same = (await database.readAll()).filter(
      ({ record }) =>
        record.fingerprint === issue.fingerprint && record.namespace === issue.namespace,
    );
    const known = same.find((one) => viewOf(one)?.status !== "closed") ?? same[0];
    const result = createdIssue(issue, viewOf(known), actor);
    if (!result.created) return result;
    return (await put(database, known, result.issue)) ? result : undefined;
  });
}

async function changeIssue(
  database: BeadsDatabase,
  id: string,
  step: (issue: Issue) => Issue,
): Promise<Issue> {
  return await settle(async () => {
    const known = findIssue(await database.readAll(), id);
    if (known === undefined) throw issueNotFound(id);
    const view = known.change(known.record);
    const after = step(view);
    return after === view || (await put(database, known, after)) ? after : undefined;
  });
}

async function claimIn(
  database: BeadsDatabase,
  id: string,
  request: ClaimRequest,
): Promise<ClaimResult> {
  const known = findIssue(await database.readAll(), id);
  const view = viewOf(known);
  const result = claimedIssue(view, request);
  if (!result.ok) return result;
  if (view?.status === "open") {
    // One actor may claim twice in beads, so each claim comes as its own.
    const taken = await database.claim(id, `${request.owner}#${hashOf(request.token, 8)}`);
    if (taken !== "claimed") return lost(taken.holder);
  }
  // It is ours by now: whatever else changes meanwhile only delays the record of it.
  await settle(async () => {
    const mine = findIssue(await database.readAll(), id);
    return (await put(database, mine, result.issue)) ? true : undefined;
  });
  return result;
}

function lost(holder: string | undefined): ClaimResult {
  return { ok: false, why: "held", ...(holder === undefined ? {} : { holder }) };
}

async function receiveIn(
  database: BeadsDatabase,
  issue: Issue,
  change: ((issue: Issue) => Issue) | undefined,
): Promise<ReceiveOutcome> {
  return await settle(async () => {
    const all = await database.readAll();
    const known = all.find(({ record }) => record.id === issue.id);
    const same = all
      .filter(({ record }) => record.fingerprint === issue.fingerprint)
      .map((one) => one.change(one.record))
      .find(({ status }) => status !== "closed");
    const result = receivedIssue(issue, { existing: viewOf(known), same, change });
    if (result.issue === undefined) return result.outcome;
    return (await put(database, known, result.issue)) ? result.outcome : undefined;
  });
}

async function writeAll(
  database: BeadsDatabase,
  decide: Parameters<IssueMirror["writeAll"]>[0],
): Promise<void> {
  await settle(async () => {
    const all = new Map((await database.readAll()).map((one) => [one.record.id, one]));
    const writes = decide(
      [...all.values()].map(({ record, marks, change }) => ({
        record,
        op: marks.slowwave_op,
        change,
      })),
    ).map((one) => ({ ...one, known: all.get(one.issue.id) }));
    if (writes.length === 0) return true;
    return (await database.write(writes)) === "written" ? true : undefined;
  });
}
