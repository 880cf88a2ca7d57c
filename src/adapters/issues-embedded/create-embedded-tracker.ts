import { SlowwaveError } from "../../model/errors.ts";
import { type Issue, issueIdOf, type NewIssue } from "../../model/issue.ts";
import type {
  ClaimRequest,
  ClaimResult,
  IssueActor,
  IssueQuery,
  IssueTracker,
  ReceiveOutcome,
} from "../../ports/issue-tracker.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
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

/**
 * Issues as records of the store itself. Every change is a compare-and-set: the commit is refused when the issue is no longer what it
 * was decided upon, and the decision is then made anew. So of parallel claims exactly one wins, across processes too.
 */
export function createEmbeddedTracker(store: MemoryStore): IssueTracker {
  const change = (id: string, step: (issue: Issue) => Issue) => changeIssue(store, id, step);
  return {
    kind: "embedded",
    create: (issue, actor) => createInStore(store, issue, actor),
    get: (id) => readIssue(store, id),
    query: (query) => queryStore(store, query),
    claim: (id, request) => claimInStore(store, id, request),
    close: (id, reason, actor) => change(id, (issue) => closedIssue(issue, reason, actor)),
    block: (id, reason, actor) => change(id, (issue) => blockedIssue(issue, reason, actor)),
    reopen: (id, reason, actor) => change(id, (issue) => reopenedIssue(issue, reason, actor)),
    approve: (id, actor, how) => change(id, (issue) => approvedIssue(issue, actor, how)),
    comment: (id, text, actor) => change(id, (issue) => commentedIssue(issue, text, actor)),
    receive: (issue, step) => receiveInStore(store, issue, step),
  };
}

/** Each refused attempt means that another writer got its own change in, so this many in a row is no ordinary contention. */
const ATTEMPTS = 100;

async function createInStore(store: MemoryStore, issue: NewIssue, actor: IssueActor) {
  return await retry(issueIdOf(issue.fingerprint), async () => {
    const existing = await findSameFinding(store, issue);
    const result = createdIssue(issue, existing, actor);
    return (await put(store, existing, result.issue)) ? result : undefined;
  });
}

async function findSameFinding(
  store: MemoryStore,
  issue: Pick<NewIssue, "namespace" | "fingerprint">,
): Promise<Issue | undefined> {
  const { namespace, fingerprint } = issue;
  const [byId] = await store.read("issue", { namespace, ids: [issueIdOf(fingerprint)] });
  if (byId) return byId;
  const waiting = await store.read("issue", {
    namespace,
    status: ["open", "in_progress", "blocked"],
  });
  return waiting.find((other) => other.fingerprint === fingerprint);
}

async function receiveInStore(
  store: MemoryStore,
  issue: Issue,
  step: ((issue: Issue) => Issue) | undefined,
): Promise<ReceiveOutcome> {
  const { namespace, id } = issue;
  return await retry(id, async () => {
    const [existing] = await store.read("issue", { namespace, ids: [id] });
    const same = await findSameFinding(store, issue);
    const result = receivedIssue(issue, { existing, same, change: step });
    const isDone = result.issue === undefined || (await put(store, existing, result.issue));
    return isDone ? result.outcome : undefined;
  });
}

async function claimInStore(
  store: MemoryStore,
  id: string,
  request: ClaimRequest,
): Promise<ClaimResult> {
  return await retry(id, async () => {
    const before = await readIssue(store, id);
    const result = claimedIssue(before, request);
    return !result.ok || (await put(store, before, result.issue)) ? result : undefined;
  });
}

async function changeIssue(
  store: MemoryStore,
  id: string,
  step: (issue: Issue) => Issue,
): Promise<Issue> {
  return await retry(id, async () => {
    const before = await readIssue(store, id);
    if (before === undefined) throw issueNotFound(id);
    const after = step(before);
    return (await put(store, before, after)) ? after : undefined;
  });
}

async function readIssue(store: MemoryStore, id: string): Promise<Issue | undefined> {
  const [issue] = await store.read("issue", { ids: [id] });
  return issue?.undone ? undefined : issue;
}

async function queryStore(store: MemoryStore, query: IssueQuery): Promise<readonly Issue[]> {
  const { namespace, status } = query;
  const issues = await store.read("issue", {
    ...(namespace === undefined ? {} : { namespace }),
    ...(status === undefined ? {} : { status }),
  });
  return orderIssues(
    issues.filter((issue) => matchesQuery(issue, query)),
    query,
  );
}

/** False: the issue has changed in between. A step that changed nothing needs no write. */
async function put(store: MemoryStore, before: Issue | undefined, after: Issue): Promise<boolean> {
  if (before === after) return true;
  const result = await store.commit([{ record: "issue", before: before ?? null, after }]);
  return result.ok;
}

async function retry<T>(id: string, attempt: () => Promise<T | undefined>): Promise<T> {
  for (let count = 0; count < ATTEMPTS; count += 1) {
    // In turn, as each attempt decides upon what the one before found changed.
    const result = await attempt();
    if (result !== undefined) return result;
  }
  throw new SlowwaveError("tracker", `issue ${id}: still being changed by others`, {
    hint: "Try again in a moment.",
  });
}
