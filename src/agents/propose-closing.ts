import type { AgentName } from "../model/agent-name.ts";
import type { Issue } from "../model/issue.ts";
import type { Outcome } from "../model/proposal.ts";
import { CLOSE_ISSUE, closeIssueChange } from "./issue-steps.ts";
import { proposed } from "./proposing.ts";

/** An agent closes an issue of its own that has nothing left to ask. */
export function proposeClosing<T>(
  issue: Issue,
  closing: { readonly agent: AgentName; readonly reason: string; readonly at: number },
): Outcome<T> {
  const { agent, reason } = closing;
  return proposed<T>({
    agent,
    namespace: issue.namespace,
    action: CLOSE_ISSUE,
    subject: [issue.id, issue.revision],
    results: [],
    confidence: 1,
    reason,
    changes: [closeIssueChange(issue, closing)],
    finding: { title: issue.title, urgency: issue.notes.urgency, members: [], scores: {} },
  });
}
