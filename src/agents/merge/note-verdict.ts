import type { Issue } from "../../model/issue.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { MergeResult } from "../../model/results.ts";
import { proposed } from "../proposing.ts";
import type { ModelVerdict } from "./ask-model.ts";

type NotedVerdict = Exclude<ModelVerdict, { kind: "merge" }>;

/**
 * Writes into the issue what the model made of it: a person decides now, and no model is asked again until a memory changes. One that did
 * not answer is asked again; that is written once.
 */
export function noteVerdict(
  issue: Issue,
  verdict: NotedVerdict,
  now: number,
): readonly Outcome<MergeResult>[] {
  if (verdictIn(issue) === verdict.kind) return [];
  const text = textOf(verdict);
  const by = verdict.kind === "unavailable" ? {} : { by: verdict.by };
  const details = { ...issue.notes.details, model: { verdict: verdict.kind, ...by } };
  const after: Issue = {
    ...issue,
    notes: { ...issue.notes, details },
    updatedAt: now,
    comments: [...issue.comments, { author: "agent:merge", at: now, text }],
    revision: issue.revision + 1,
  };
  const { replies } = verdict;
  return [
    proposed({
      agent: "merge",
      namespace: issue.namespace,
      action: "note_verdict",
      subject: [issue.id, issue.revision],
      results: [],
      confidence: 1,
      reason: text,
      ...(replies.length === 0 ? {} : { replies }),
      changes: [{ kind: "issue.put", before: issue, after }],
      finding: { title: issue.title, urgency: issue.notes.urgency, members: [], scores: {} },
    }),
  ];
}

/** What an issue says a model made of it. */
export function verdictIn({ notes }: Issue): unknown {
  const noted = notes.details.model;
  return typeof noted === "object" && noted !== null && "verdict" in noted
    ? noted.verdict
    : undefined;
}

function textOf(verdict: NotedVerdict): string {
  switch (verdict.kind) {
    case "keep_separate":
      return `the language model would keep them separate (${verdict.by})`;
    case "rejected":
      return `the language model could not help: ${verdict.reason} (${verdict.by})`;
    case "unavailable":
      return `waits for the language model or a person: ${verdict.reason}`;
  }
}
