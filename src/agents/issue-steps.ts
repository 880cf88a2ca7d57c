import { AGENT_NAMES, type AgentName } from "../model/agent-name.ts";
import type { Change } from "../model/change.ts";
import { DAY_MS } from "../model/instant.ts";
import {
  closeIssueRecord,
  createIssue,
  type Issue,
  type NewIssue,
  OPEN_ISSUE,
} from "../model/issue.ts";
import type { AgentContext } from "../ports/agent.ts";
import type { View } from "../ports/view.ts";

export const CLOSE_ISSUE = "close_issue";

/**
 * Opens an issue, or opens it again where an agent closed the same finding before: the record goes on, with its history.
 * `undefined` where it is open already.
 */
export function openIssueChange(issue: NewIssue, view: View): Change | undefined {
  const fresh = createIssue(issue, view.now);
  const known = view.issueByFingerprint(issue.fingerprint);
  if (known === undefined) return { kind: "issue.put", before: null, after: fresh };
  if (known.status !== "closed") return undefined;
  const comment = { author: `agent:${issue.notes.agent}`, at: view.now, text: "found again" };
  return {
    kind: "issue.put",
    before: known,
    after: {
      ...fresh,
      createdAt: known.createdAt,
      comments: [...known.comments, comment],
      revision: known.revision + 1,
    },
  };
}

export function closeIssueChange(
  issue: Issue,
  closing: { readonly agent: AgentName; readonly reason: string; readonly at: number },
): Change {
  const { agent, reason, at } = closing;
  return {
    kind: "issue.put",
    before: issue,
    after: closeIssueRecord(issue, { reason, by: `agent:${agent}`, at }),
  };
}

/** A claim by somebody whose lease still runs: an agent leaves the issue to them. */
export function isClaimed(issue: Issue, now: number): boolean {
  return issue.status === "in_progress" && (issue.leaseUntil ?? Number.POSITIVE_INFINITY) > now;
}

/** Counts down what a cap of the last 24 hours of the run's clock still allows; `false` when it is used up. */
export type Allowance = () => boolean;

/** New issues of all agents count together, by namespace. */
export function issueAllowance(context: AgentContext, namespace: string): Allowance {
  const { view, settings } = context;
  const since = view.now - DAY_MS;
  const opened = AGENT_NAMES.map((agent) =>
    view.appliedSince({ agent, action: OPEN_ISSUE, namespace, since }),
  );
  return countDown(settings.issuesPerDay - opened.reduce((sum, count) => sum + count, 0));
}

export function countDown(start: number): Allowance {
  let left = start;
  return () => {
    if (left <= 0) return false;
    left -= 1;
    return true;
  };
}
