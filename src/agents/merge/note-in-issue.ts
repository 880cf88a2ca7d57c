import type { Issue } from "../../model/issue.ts";
import type { JsonValue } from "../../model/json.ts";
import type { ModelReply } from "../../model/model-reply.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { MergeResult } from "../../model/results.ts";
import { proposed } from "../proposing.ts";

/** Adds a comment to an issue that stays as it is, and what is to be remembered of it in `details`. */
export function noteInIssue(
  issue: Issue,
  note: {
    readonly action: string;
    readonly text: string;
    readonly details: Readonly<Record<string, JsonValue>>;
    readonly replies?: readonly ModelReply[];
    readonly at: number;
  },
): Outcome<MergeResult> {
  const { action, text, details, replies = [], at } = note;
  const after: Issue = {
    ...issue,
    notes: { ...issue.notes, details: { ...issue.notes.details, ...details } },
    updatedAt: at,
    comments: [...issue.comments, { author: "agent:merge", at, text }],
    revision: issue.revision + 1,
  };
  return proposed({
    agent: "merge",
    namespace: issue.namespace,
    action,
    subject: [issue.id, issue.revision],
    results: [],
    confidence: 1,
    reason: text,
    ...(replies.length === 0 ? {} : { replies }),
    changes: [{ kind: "issue.put", before: issue, after }],
    finding: { title: issue.title, urgency: issue.notes.urgency, members: [], scores: {} },
  });
}
