import type { Change } from "../../model/change.ts";
import { type Issue, OPEN_ISSUE, standingOf, type Urgency } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { ClusterResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { type Allowance, openIssueChange } from "../issue-steps.ts";
import { membersOf } from "../leaves.ts";
import { hold, proposed, report } from "../proposing.ts";
import { clusterIssueFor, membersOfFinding, reasonFor, titleOf } from "./cluster-issue.ts";
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

interface ProposeInput {
  readonly context: AgentContext;
  /** Counts new issues against their cap. */
  readonly allow: Allowance;
  /** Counts pairs that are only listed. */
  readonly list: Allowance;
}

/** Pairs that need no issue, or get none today, are listed up to this number a namespace, the most urgent first, and counted beyond. */
export const LISTED_PAIRS = 5000;

export function proposeFinding(
  rated: RatedFinding,
  input: ProposeInput,
): readonly Outcome<ClusterResult>[] {
  const { finding } = rated;
  if (finding.kind === "link") return [proposeLink(rated, input.context)];
  if (finding.kind !== "separate") return proposeIssue(rated, input);
  return input.list() ? [reportOf(rated)] : [hold(clusterIdOf(finding), "not_listed")];
}

function proposeIssue(
  rated: RatedFinding,
  { context, allow, list }: ProposeInput,
): readonly Outcome<ClusterResult>[] {
  const { finding } = rated;
  const clusterId = clusterIdOf(finding);
  const why = whySettled(finding, context);
  if (why !== undefined) return [hold(clusterId, why)];
  const issue = context.view.issueByFingerprint(finding.fingerprint);
  const isOpen = issue !== undefined && issue.status !== "closed";
  if (isOpen) return [reportOpen(rated, issue, context), ...whyUnsettled(finding, context)];
  const isExempt = finding.basis === "copies";
  // Before anything is put in words: a large store has tens of thousands of findings beyond the cap.
  if (!isExempt && !allow()) {
    const isListed = finding.kind !== "conflict" || list();
    return [...(isListed ? [reportOf(rated)] : []), hold(clusterId, "issues_capped")];
  }
  const opening = openIssueChange(clusterIssueFor(finding, rated.urgency), context.view);
  const changes = [...(opening ? [opening] : []), ...disputesOf(finding, context)];
  const action = isExempt ? OPEN_COPIES : OPEN_ISSUE;
  return [outcomeOf(rated, { action, changes }), ...whyUnsettled(finding, context)];
}

/** In the words of the issue: to find them anew, the two texts of a contradiction would have to be judged again. */
function reportOpen(
  rated: RatedFinding,
  { notes: { reason } }: Issue,
  context: AgentContext,
): Outcome<ClusterResult> {
  const changes = disputesOf(rated.finding, context);
  return changes.length > 0
    ? outcomeOf(rated, { action: DISPUTE, reason, changes })
    : reportOf(rated);
}

function disputesOf(finding: Finding, { view }: AgentContext): readonly Change[] {
  return finding.kind === "conflict" ? disputeChanges(finding, view) : [];
}

function reportOf({ finding }: RatedFinding): Outcome<ClusterResult> {
  return report(resultOf(finding, membersOfFinding(finding)));
}

/** What was declined, settled, or merged and taken apart again, is not proposed until one of its sources changes. */
function whySettled(finding: Finding, context: AgentContext): string | undefined {
  const standing = standingOf(context.view.issueByFingerprint(finding.fingerprint));
  if (standing === "declined") return "declined";
  if (finding.kind === "merge") return standing === "done" ? "done" : undefined;
  return isStandingConflict(finding, context) ? undefined : "done";
}

/** Approved, and yet not to be settled: it stays disputed, and the report says why. */
function whyUnsettled(finding: Finding, context: AgentContext): readonly Outcome<never>[] {
  if (finding.kind !== "conflict") return [];
  const verdict = judgeContradiction(finding, context);
  return verdict.kind === "held" ? [hold(clusterIdOf(finding), verdict.reason)] : [];
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
  const { namespace, cohesion, fingerprint, leaves, action } = finding;
  const members = membersOfFinding(finding);
  return proposed({
    agent: "cluster",
    namespace,
    action: step.action,
    subject: fingerprint,
    results: [resultOf(finding, members)],
    confidence: step.confidence ?? CONFIDENCE.certain,
    reason: step.reason ?? reasonFor(finding),
    changes: step.changes ?? [],
    finding: {
      title: titleOf(action, members),
      urgency,
      members: membersOf(leaves),
      scores: { cohesion },
    },
  });
}

export function clusterIdOf({ fingerprint }: Finding): string {
  return `cl-${fingerprint.slice(0, 16)}`;
}

function resultOf(finding: Finding, members: readonly Memory[]): ClusterResult {
  return {
    clusterId: clusterIdOf(finding),
    memoryIds: members.map(({ id }) => id),
    cohesion: finding.cohesion,
    action: finding.action,
  };
}
