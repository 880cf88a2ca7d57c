import { OPEN_ISSUE } from "../../model/issue.ts";
import { memoryKey } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { DecayResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { openIssueChange } from "../issue-steps.ts";
import { proposed } from "../proposing.ts";
import type { Assessment } from "./assess-memory.ts";
import { decayIssueFor } from "./decay-issues.ts";

/** The issue, or that the cap held it back, by `memoryKey` of the first memory of its batch. */
export type Filed = ReadonlyMap<string, Outcome<DecayResult> | "capped">;

/**
 * One issue per urgency, action and namespace, split where it would hold more than `issueBatch` memories. Each is given to the first
 * memory of its batch, in whose processing it is proposed.
 */
export function fileBatches(
  assessments: readonly Assessment[],
  {
    context,
    allow,
  }: { readonly context: AgentContext; readonly allow: (namespace: string) => boolean },
): Filed {
  const filed = new Map<string, Outcome<DecayResult> | "capped">();
  for (const group of groupByWay(assessments)) {
    for (let from = 0; from < group.length; from += context.settings.decay.issueBatch) {
      const batch = group.slice(from, from + context.settings.decay.issueBatch);
      const [leader] = batch;
      if (leader === undefined) continue;
      const outcome = allow(leader.memory.namespace) ? openFor(batch, context) : "capped";
      if (outcome !== undefined) filed.set(memoryKey(leader.memory), outcome);
    }
  }
  return filed;
}

function groupByWay(assessments: readonly Assessment[]): readonly (readonly Assessment[])[] {
  const groups = new Map<string, Assessment[]>();
  for (const one of assessments) {
    const key = JSON.stringify([one.memory.namespace, one.urgency, one.action]);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}

function openFor(
  batch: readonly Assessment[],
  context: AgentContext,
): Outcome<DecayResult> | undefined {
  const issue = decayIssueFor(batch);
  const change = issue && openIssueChange(issue, context.view);
  if (issue === undefined || change === undefined) return undefined;
  const { title, notes, namespace, fingerprint } = issue;
  return proposed({
    agent: "decay",
    namespace,
    action: OPEN_ISSUE,
    subject: fingerprint,
    results: [],
    confidence: 1,
    reason: notes.reason,
    changes: [change],
    finding: {
      title,
      urgency: notes.urgency,
      members: batch.map(({ memory }) => memory),
      scores: notes.scores,
    },
  });
}
