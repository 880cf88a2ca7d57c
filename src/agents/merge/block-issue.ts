import type { Issue } from "../../model/issue.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { MergeResult } from "../../model/results.ts";
import { proposed } from "../proposing.ts";

/** Leaves an issue blocked with the reason, until a person opens it again or its memories change. */
export function blockIssue(issue: Issue, error: string, now: number): Outcome<MergeResult> {
  const after: Issue = {
    ...issue,
    status: "blocked",
    notes: { ...issue.notes, error },
    updatedAt: now,
    comments: [...issue.comments, { author: "agent:merge", at: now, text: error }],
    revision: issue.revision + 1,
  };
  return proposed({
    agent: "merge",
    namespace: issue.namespace,
    action: "block_issue",
    subject: [issue.id, issue.revision],
    results: [],
    confidence: 1,
    reason: error,
    changes: [{ kind: "issue.put", before: issue, after }],
    finding: { title: issue.title, urgency: issue.notes.urgency, members: [], scores: {} },
  });
}
