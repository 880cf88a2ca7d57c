import type { Issue } from "../../model/issue.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { MergeResult } from "../../model/results.ts";
import { proposed } from "../proposing.ts";
import type { ModelVerdict } from "./ask-model.ts";

/** Writes into the issue what the model made of it: a person decides now, and no model is asked again until a memory changes. */
export function noteVerdict(
  issue: Issue,
  verdict: Extract<ModelVerdict, { kind: "keep_separate" | "rejected" }>,
  now: number,
): Outcome<MergeResult> {
  const reason =
    verdict.kind === "rejected"
      ? `the language model could not help: ${verdict.reason}`
      : "the language model would keep them separate";
  const text = `${reason} (${verdict.by})`;
  const details = { ...issue.notes.details, model: { verdict: verdict.kind, by: verdict.by } };
  const after: Issue = {
    ...issue,
    notes: { ...issue.notes, details },
    updatedAt: now,
    comments: [...issue.comments, { author: "agent:merge", at: now, text }],
    revision: issue.revision + 1,
  };
  return proposed({
    agent: "merge",
    namespace: issue.namespace,
    action: "note_verdict",
    subject: [issue.id, issue.revision],
    results: [],
    confidence: 1,
    reason: text,
    changes: [{ kind: "issue.put", before: issue, after }],
    finding: { title: issue.title, urgency: issue.notes.urgency, members: [], scores: {} },
  });
}
