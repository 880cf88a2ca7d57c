import { type Issue, issueIdOf } from "../../model/issue.ts";
import type { IssueMirror, IssueTracker } from "../../ports/issue-tracker.ts";
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

/** In-memory twin of a tracker: same contract, gone with the process. */
export function createMemoryTracker(): IssueTracker & IssueMirror {
  const issues = new Map<string, Issue>();
  const ops = new Map<string, string>();
  const keep = (issue: Issue): Issue => {
    issues.set(issue.id, structuredClone(issue));
    return issue;
  };
  const change = (id: string, step: (issue: Issue) => Issue): Issue => {
    const issue = issues.get(id);
    if (issue === undefined || issue.undone) throw issueNotFound(id);
    return keep(step(issue));
  };
  // Whoever works with it does so by its methods, so nothing is ever laid over.
  const mirrored = () =>
    [...issues.values()].map((record) => ({
      record: structuredClone(record),
      op: ops.get(record.id),
      change: (issue: Issue) => issue,
    }));
  // `async` turns a refusal into a rejection, as callers of a real tracker see it.
  return {
    kind: "memory",
    create: async (issue, actor) => {
      const result = createdIssue(issue, issues.get(issueIdOf(issue.fingerprint)), actor);
      keep(result.issue);
      return result;
    },
    get: async (id) => structuredClone(issues.get(id)),
    query: async (query) =>
      orderIssues(
        structuredClone([...issues.values()].filter((issue) => matchesQuery(issue, query))),
        query,
      ),
    claim: async (id, request) => {
      const result = claimedIssue(issues.get(id), request);
      if (result.ok) keep(result.issue);
      return result;
    },
    close: async (id, reason, actor) => change(id, (issue) => closedIssue(issue, reason, actor)),
    block: async (id, reason, actor) => change(id, (issue) => blockedIssue(issue, reason, actor)),
    reopen: async (id, reason, actor) => change(id, (issue) => reopenedIssue(issue, reason, actor)),
    approve: async (id, actor, how) => change(id, (issue) => approvedIssue(issue, actor, how)),
    comment: async (id, text, actor) => change(id, (issue) => commentedIssue(issue, text, actor)),
    receive: async (issue, step) => {
      const same = [...issues.values()].find(
        ({ fingerprint, status }) => fingerprint === issue.fingerprint && status !== "closed",
      );
      const existing = issues.get(issue.id);
      const result = receivedIssue(issue, { existing, same, change: step });
      if (result.issue) keep(result.issue);
      return result.outcome;
    },
    readAll: async () => mirrored(),
    writeAll: async (decide) => {
      for (const { issue, op } of decide(mirrored())) {
        keep(issue);
        ops.set(issue.id, op);
      }
    },
  };
}
