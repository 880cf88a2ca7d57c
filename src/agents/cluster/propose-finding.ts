import type { Change } from "../../model/change.ts";
import { OPEN_ISSUE, standingOf, type Urgency } from "../../model/issue.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { ClusterResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { type Allowance, openIssueChange } from "../issue-steps.ts";
import { membersOf } from "../leaves.ts";
import { hold, proposed } from "../proposing.ts";
import { clusterIssueFor, membersOfFinding, reasonFor } from "./cluster-issue.ts";
import { disputeChanges } from "./dispute-changes.ts";
import type { Finding } from "./findings.ts";
import { isStandingConflict, judgeContradiction, type Resolution } from "./judge-contradiction.ts";
import { linkChanges } from "./propose-links.ts";
import { resolutionChanges } from "./resolution-changes.ts";

/** Opening an issue for exact copies: a step of its own, which the cap on new issues does not count. */
const OPEN_COPIES = "open_copies_issue";

/** Marking memories as disputed whose contradiction is on file already. */
const DISPUTE = "dispute";

/** The step that settles a contradiction by archiving one side of it. */
const RESOLVE = "resolve_conflict";

/**
 * Confidence: reports and issues 1, since they change no word of a memory; links of memories that could have been merged but for their notes or
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
  const why = whySettled(finding, context);
  if (why !== undefined) return [hold(clusterId, why)];
  const change = openIssueChange(clusterIssueFor(finding, urgency), context.view);
  const disputes = finding.kind === "conflict" ? disputeChanges(finding, context.view) : [];
  const unsettled = whyUnsettled(finding, context).map((reason) => hold(clusterId, reason));
  if (change === undefined) {
    const action = disputes.length > 0 ? DISPUTE : "report";
    return [outcomeOf(rated, { action, changes: disputes }), ...unsettled];
  }
  const isExempt = finding.basis === "copies";
  if (!isExempt && !allow()) {
    return [outcomeOf(rated, { action: "report" }), hold(clusterId, "issues_capped")];
  }
  const action = isExempt ? OPEN_COPIES : OPEN_ISSUE;
  return [outcomeOf(rated, { action, changes: [change, ...disputes] }), ...unsettled];
}

/** What was declined, settled, or merged and taken apart again, is not proposed until one of its sources changes. */
function whySettled(finding: Finding, context: AgentContext): string | undefined {
  const standing = standingOf(context.view.issueByFingerprint(finding.fingerprint));
  if (standing === "declined") return "declined";
  if (finding.kind === "merge") return standing === "done" ? "done" : undefined;
  return isStandingConflict(finding, context) ? undefined : "done";
}

/** Approved, and yet not to be settled: it stays disputed, and the report says why. */
function whyUnsettled(finding: Finding, context: AgentContext): readonly string[] {
  if (finding.kind !== "conflict") return [];
  const verdict = judgeContradiction(finding, context);
  return verdict.kind === "held" ? [verdict.reason] : [];
}

/** The winner stays as it is, the losers are archived, the issue is closed. */
export function proposeResolution(
  resolution: Resolution,
  { context, urgency }: { readonly context: AgentContext; readonly urgency: Urgency },
): Outcome<ClusterResult> {
  const { finding, confidence, reason } = resolution;
  return outcomeOf(
    { finding, urgency },
    {
      action: RESOLVE,
      confidence,
      reason: `${reasonFor(finding)}; ${reason}`,
      changes: resolutionChanges(resolution, { view: context.view, urgency }),
    },
  );
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
    readonly reason?: string;
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
    reason: step.reason ?? reasonFor(finding),
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
