import type { Issue } from "../../model/issue.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { MergeResult } from "../../model/results.ts";
import type { ModelVerdict } from "./ask-model.ts";
import { noteInIssue } from "./note-in-issue.ts";

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
  const by = verdict.kind === "unavailable" ? {} : { by: verdict.by };
  const details = { model: { verdict: verdict.kind, ...by } };
  const { replies } = verdict;
  return [
    noteInIssue(issue, {
      action: "note_verdict",
      text: textOf(verdict),
      details,
      replies,
      at: now,
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
