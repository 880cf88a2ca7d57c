import type { Change } from "../../model/change.ts";
import { standingOf, type Urgency } from "../../model/issue.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { ClusterResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { type Allowance, OPEN_ISSUE, openIssueChange } from "../issue-steps.ts";
import { membersOf } from "../leaves.ts";
import { hold, proposed } from "../proposing.ts";
import { clusterIssueFor, membersOfFinding, reasonFor } from "./cluster-issue.ts";
import type { Finding } from "./findings.ts";
import { linkChanges } from "./propose-links.ts";

/** Opening an issue for exact copies: a step of its own, which the cap on new issues does not count. */
const OPEN_COPIES = "open_copies_issue";

/**
 * Confidence: reports and issues 1, since they change no memory; links of memories that could have been merged but for their notes or
 * their length 0.9, of others 0.75.
 */
const CONFIDENCE = { certain: 1, link: 0.9, looseLink: 0.75 } as const;

export interface RatedFinding {
  readonly finding: Finding;
  readonly urgency: Urgency;
}

export function proposeFinding(
  rated: RatedFinding,
  { context, allow }: { readonly context: AgentContext; readonly allow: Allowance },
): readonly Outcome<ClusterResult>[] {
  const { kind } = rated.finding;
  if (kind === "separate") return [outcomeOf(rated, { action: "report" })];
  if (kind === "link") return [proposeLink(rated, context)];
  return proposeIssue(rated, { context, allow });
}

function proposeIssue(
  rated: RatedFinding,
  { context, allow }: { readonly context: AgentContext; readonly allow: Allowance },
): readonly Outcome<ClusterResult>[] {
  const { finding, urgency } = rated;
  const clusterId = clusterIdOf(finding);
  const standing = standingOf(context.view.issueByFingerprint(finding.fingerprint));
  // What was declined, or merged and taken apart again, is not proposed until one of its sources changes.
  if (standing === "declined") return [hold(clusterId, "declined")];
  if (standing === "done" && finding.kind === "merge") return [hold(clusterId, "done")];
  const change = openIssueChange(clusterIssueFor(finding, urgency), context.view);
  if (change === undefined) return [outcomeOf(rated, { action: "report" })];
  const isExempt = finding.basis === "copies";
  if (!isExempt && !allow()) {
    return [outcomeOf(rated, { action: "report" }), hold(clusterId, "issues_capped")];
  }
  const action = isExempt ? OPEN_COPIES : OPEN_ISSUE;
  return [outcomeOf(rated, { action, changes: [change] })];
}

function proposeLink(rated: RatedFinding, { view }: AgentContext): Outcome<ClusterResult> {
  const isLoose = rated.finding.basis === "review";
  return outcomeOf(rated, {
    action: "link",
    confidence: isLoose ? CONFIDENCE.looseLink : CONFIDENCE.link,
    changes: linkChanges(rated.finding, view),
  });
}

function outcomeOf(
  { finding, urgency }: RatedFinding,
  step: {
    readonly action: string;
    readonly confidence?: number;
    readonly changes?: readonly Change[];
  },
): Outcome<ClusterResult> {
  const { namespace, cohesion, fingerprint, leaves } = finding;
  const issue = clusterIssueFor(finding, urgency);
  return proposed({
    agent: "cluster",
    namespace,
    action: step.action,
    subject: fingerprint,
    results: [resultOf(finding)],
    confidence: step.confidence ?? CONFIDENCE.certain,
    reason: reasonFor(finding),
    changes: step.changes ?? [],
    finding: { title: issue.title, urgency, members: membersOf(leaves), scores: { cohesion } },
  });
}

export function clusterIdOf({ fingerprint }: Finding): string {
  return `cl-${fingerprint.slice(0, 16)}`;
}

function resultOf(finding: Finding): ClusterResult {
  return {
    clusterId: clusterIdOf(finding),
    memoryIds: membersOfFinding(finding).map(({ id }) => id),
    cohesion: finding.cohesion,
    action: finding.action,
  };
}
