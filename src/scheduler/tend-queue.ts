import { DAY_MS } from "../model/instant.ts";
import { type Issue, URGENCIES } from "../model/issue.ts";
import {
  countQueue,
  isClaimOver,
  queueWords,
  urgencyOf,
  waitsForPerson,
  withUrgency,
} from "../model/issue-queue.ts";
import type { View } from "../ports/view.ts";
import { notFiled, summarizeOverflow } from "./overflow-issue.ts";
import type { AgentPlan, DecidedProposal } from "./plan.ts";

export interface TendedQueue {
  readonly decided: readonly DecidedProposal[];
  readonly notes: readonly string[];
}

/** After so long without anybody touching it, an issue becomes more urgent; and again after as long. */
const PATIENCE_MS = 7 * DAY_MS;

/**
 * Keeps the queue of issues healthy, after the agents are done: claims whose lease has run out go back to open, and what waits for a
 * person for 7 days becomes one urgency more urgent. One issue stands for what is over the cap on new ones. All make the issue's last change `now`, so a second run at the same clock does nothing.
 */
export function tendQueue(input: {
  readonly view: View;
  readonly agents: Readonly<Record<string, AgentPlan>>;
  /** This namespace alone. */
  readonly namespace: string | undefined;
}): TendedQueue {
  const { view, agents, namespace } = input;
  const issues = view
    .issues()
    .filter((issue) => !issue.undone && (namespace ?? issue.namespace) === issue.namespace);
  const overflow = summarizeOverflow({ view, agents, namespace });
  const steps = [
    ...issues
      .filter(({ id }) => id !== overflow?.after.id)
      .flatMap((issue) => tendIssue(issue, view.now) ?? []),
    ...(overflow === undefined ? [] : [{ action: "summarize" as const, ...overflow }]),
  ];
  const decided = steps.map(proposalFor);
  const tended = new Map(steps.map(({ after }) => [after.id, after]));
  const untouched = issues.filter(({ id }) => !tended.has(id));
  const counts = countQueue([...untouched, ...tended.values()], view.now);
  const notes = [
    ...(counts.waiting > 0
      ? [`queue: ${counts.waiting} wait for a person (${queueWords(counts)})`]
      : []),
    ...stepNotes(steps),
    ...notFiledNote(agents),
  ];
  return { decided, notes };
}

interface Step {
  readonly action: "escalate" | "release_claim" | "summarize";
  readonly before: Issue | null;
  readonly after: Issue;
  readonly reason: string;
}

function tendIssue(issue: Issue, now: number): Step | undefined {
  if (isClaimOver(issue, now)) return releaseClaim(issue, now);
  if (!waitsForPerson(issue, now) || now - issue.updatedAt < PATIENCE_MS) return undefined;
  const urgency = urgencyOf(issue);
  const next = URGENCIES[URGENCIES.indexOf(urgency) - 1];
  if (next === undefined) return undefined;
  const reason = `nobody touched it for 7 days: ${urgency} becomes ${next}`;
  return {
    action: "escalate",
    before: issue,
    reason,
    after: touched(withUrgency(issue, next), reason, now),
  };
}

function releaseClaim(issue: Issue, now: number): Step {
  const { claimedBy, claimToken: _token, leaseUntil: _until, ...free } = issue;
  const reason = `the claim of ${claimedBy ?? "somebody"} has run out`;
  return {
    action: "release_claim",
    before: issue,
    reason,
    after: touched({ ...free, status: "open" }, reason, now),
  };
}

function touched(issue: Issue, text: string, now: number): Issue {
  return {
    ...issue,
    updatedAt: now,
    comments: [...issue.comments, { author: "agent:queue", at: now, text }],
    revision: issue.revision + 1,
  };
}

/** No agent's work, and no one's to approve: it is applied as it is. */
function proposalFor({ action, before, after, reason }: Step): DecidedProposal {
  const changes = [{ kind: "issue.put", before, after }] as const;
  const { namespace, title, notes } = after;
  return {
    proposal: {
      id: `queue:${action}:${namespace}:${after.id}:${after.revision}`,
      agent: "queue",
      namespace,
      action,
      results: [],
      confidence: 1,
      reason,
      dependsOn: [],
      changes,
      finding: { title, urgency: notes.urgency, members: [], scores: {} },
    },
    fate: "apply",
    changes,
  };
}

function stepNotes(steps: readonly Step[]): readonly string[] {
  const count = (action: Step["action"]) => steps.filter((step) => step.action === action).length;
  const [escalated, released] = [count("escalate"), count("release_claim")];
  return [
    ...(escalated > 0 ? [`queue: ${escalated} untouched for 7 days became more urgent`] : []),
    ...(released > 0 ? [`queue: ${released} went back to open, as their claims ran out`] : []),
  ];
}

function notFiledNote(agents: Readonly<Record<string, AgentPlan>>): readonly string[] {
  const count = Object.values(notFiled(agents)).reduce((sum, one) => sum + one, 0);
  if (count === 0) return [];
  return [
    `queue: ${count} more were found and not filed, over the cap on new issues in 24 hours; later runs file them`,
  ];
}
