import {
  agentLabel,
  ISSUE_LABELS,
  type Issue,
  type IssueNotes,
  type NewIssue,
  type Urgency,
} from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import { excerptOf, holdsSecret } from "../excerpt.ts";
import { compareIds } from "../work-items.ts";
import type { Finding } from "./findings.ts";

export function membersOfFinding(finding: Finding): readonly Memory[] {
  return finding.node.units
    .flatMap(({ members }) => members)
    .toSorted((a, b) => compareIds(a.id, b.id));
}

/** The issue for a finding that somebody has to act on: the merge agent, a person or a model. */
export function clusterIssueFor(finding: Finding, urgency: Urgency): NewIssue {
  const { namespace, fingerprint, action } = finding;
  return {
    namespace,
    fingerprint,
    title: titleOf(action, membersOfFinding(finding)),
    labels: labelsOf(action),
    notes: notesOf(finding, urgency),
  };
}

function labelsOf(action: Finding["action"]): readonly string[] {
  if (action === "auto_merge") return [agentLabel("merge")];
  return action === "conflict" ? [ISSUE_LABELS.conflict] : [];
}

function notesOf(finding: Finding, urgency: Urgency): IssueNotes {
  const { action, basis, cohesion, conflicts } = finding;
  const isSecret = holdsAnySecret(finding);
  const reason = reasonFor(finding);
  return {
    agent: "cluster",
    action,
    memoryIds: membersOfFinding(finding).map(({ id }) => id),
    urgency,
    reason: action === "conflict" ? `${reason}. ${ON_APPROVAL}` : reason,
    scores: { cohesion },
    details: {
      basis,
      conflicts: conflicts.map((conflict) => ({
        kind: conflict.kind,
        confidence: conflict.confidence,
        ...(isSecret ? {} : { reason: conflict.reason, a: conflict.a.text, b: conflict.b.text }),
      })),
    },
  };
}

const ON_APPROVAL =
  "Approving archives the side that loses by the configured strategy, the older one by default";

/** What differs may be the secret itself, and issues travel. */
function holdsAnySecret(finding: Finding): boolean {
  return finding.leaves.some(({ record }) => holdsSecret(record.content));
}

/** An issue that this agent filed, rather than a person or a program of theirs. */
export function isOwnIssue({ notes }: Issue): boolean {
  return notes.agent === "cluster" && notes.details.basis !== undefined;
}

export function titleOf(action: Finding["action"], members: readonly Memory[]): string {
  const [first, second] = members.map(({ content }) => excerptOf(content));
  switch (action) {
    case "auto_merge":
      return `Merge ${members.length} memories: ${first}`;
    case "llm_review":
      return `Merge ${members.length} memories after reading them? ${first}`;
    case "conflict":
      return `Contradiction: ${first} or ${second}`;
    case "link":
      return `Link ${members.length} memories: ${first}`;
    case "keep_separate":
      return `Alike, kept separate: ${first}`;
  }
}

export function reasonFor(finding: Finding): string {
  const { basis, cohesion, conflicts, action } = finding;
  const alike = `cohesion ${cohesion.toFixed(2)}`;
  if (action === "link") return `${alike}; promoted or pinned, or too long to be merged`;
  switch (basis) {
    case "copies":
      return "the same text";
    case "contained":
      return "one holds every sentence of the others";
    case "alike":
      return alike;
    case "review":
      return `${alike}: similar, and not beyond doubt. Approving merges them`;
    case "contradiction":
      return holdsAnySecret(finding)
        ? `they contradict each other (${conflicts.map(({ kind }) => kind).join(", ")}); one holds a secret`
        : conflicts.map(({ reason }) => reason).join("; ");
    case "pair":
      return alike;
  }
}
