import type { z } from "zod";
import { hashOf } from "./hash.ts";
import type { issueSchema } from "./issue-schema.ts";

export const ISSUE_STATUSES = ["open", "in_progress", "blocked", "closed"] as const;
export type IssueStatus = (typeof ISSUE_STATUSES)[number];

export const URGENCIES = ["high", "medium", "low"] as const;
export type Urgency = (typeof URGENCIES)[number];

/** beads' scale: 0 is the most urgent, 4 the least. */
export const PRIORITY_OF: Readonly<Record<Urgency, 0 | 1 | 2 | 3 | 4>> = {
  high: 1,
  medium: 2,
  low: 3,
};

export const ISSUE_LABELS = {
  all: "consolidation",
  approved: "approved",
  conflict: "conflict",
} as const;

/** The step that opens an issue, whoever takes it: the cap on new issues counts it in the journal. */
export const OPEN_ISSUE = "open_issue";

export function agentLabel(agent: string): string {
  return `consolidation:${agent}`;
}

export function urgencyLabel(urgency: Urgency): string {
  return `urgency:${urgency}`;
}

export type Issue = Readonly<z.infer<typeof issueSchema>>;
export type IssueNotes = Issue["notes"];

/** Tells comments apart; a tracker may keep whole seconds only. */
export function issueCommentKey(comment: Issue["comments"][number]): string {
  return JSON.stringify([comment.author, comment.text, Math.floor(comment.at / 1000)]);
}

/** What a person wants a merge to say; `undefined`: what the agent makes of the sources. */
export function mergedTextOf({ notes }: Pick<Issue, "notes">): string | undefined {
  const { mergedText } = notes.details;
  return typeof mergedText === "string" ? mergedText : undefined;
}

export function withMergedText(issue: Issue, mergedText: string): Issue {
  const details = { ...issue.notes.details, mergedText };
  return { ...issue, notes: { ...issue.notes, details } };
}

export function withoutMergedText(notes: IssueNotes): IssueNotes {
  const { mergedText: _text, ...details } = notes.details;
  return { ...notes, details };
}

/** The memories a finding speaks of, by id and content. */
export interface FindingMember {
  readonly id: string;
  readonly content: string;
}

/**
 * Names a finding: same agent, namespace and action about the same memories with the same contents. A changed source gives another
 * fingerprint, and so lets a declined finding be proposed again.
 */
export function fingerprintOf(finding: {
  readonly agent: string;
  readonly namespace: string;
  readonly action: string;
  readonly members: readonly FindingMember[];
}): string {
  const members = finding.members.map((member) => [member.id, contentHashOf(member)]).sort();
  return hashOf([finding.agent, finding.namespace, finding.action, members], 32);
}

/** One memory may be a member of dozens of findings, and its record never changes. */
const contentHashes = new WeakMap<FindingMember, string>();

function contentHashOf(member: FindingMember): string {
  const found = contentHashes.get(member) ?? hashOf(member.content, 16);
  contentHashes.set(member, found);
  return found;
}

export function issueIdOf(fingerprint: string): string {
  return `sw-${hashOf(fingerprint, 12)}`;
}

export interface NewIssue {
  readonly namespace: string;
  readonly title: string;
  readonly notes: IssueNotes;
  readonly fingerprint: string;
  /** Besides `consolidation`, `consolidation:<agent>` and `urgency:<level>`, which every issue carries. */
  readonly labels?: readonly string[];
}

/** A fresh open issue, revision 1. */
export function createIssue(issue: NewIssue, now: number): Issue {
  const { agent, urgency } = issue.notes;
  const labels = [
    ISSUE_LABELS.all,
    agentLabel(agent),
    urgencyLabel(urgency),
    ...(issue.labels ?? []),
  ];
  return {
    id: issueIdOf(issue.fingerprint),
    namespace: issue.namespace,
    title: cutTitle(issue.title),
    status: "open",
    priority: PRIORITY_OF[urgency],
    labels: [...new Set(labels)],
    notes: issue.notes,
    fingerprint: issue.fingerprint,
    createdAt: now,
    updatedAt: now,
    comments: [],
    revision: 1,
  };
}

/** beads allows 500 bytes; 120 characters read well in a list and always fit. */
function cutTitle(title: string): string {
  const line = title.replace(/\s+/g, " ").trim();
  const characters = [...line];
  return characters.length <= 120 ? line : `${characters.slice(0, 119).join("")}…`;
}

/** What people and agents have said of a finding so far. `done`: an agent closed its issue. */
export type IssueStanding = "none" | "waiting" | "approved" | "declined" | "done";

export function standingOf(issue: Issue | undefined): IssueStanding {
  if (issue === undefined) return "none";
  if (issue.undone) return "declined";
  const approved = issue.labels.includes(ISSUE_LABELS.approved);
  if (issue.status !== "closed") return approved ? "approved" : "waiting";
  if (issue.closedBy?.startsWith("agent:")) return "done";
  return approved ? "approved" : "declined";
}

export interface IssueClosing {
  readonly reason: string;
  /** `agent:<name>` or `person:<name>`. */
  readonly by: string;
  readonly at: number;
}

/** The issue, closed: claim fields go, the closing is kept as a comment too. */
export function closeIssueRecord(issue: Issue, closing: IssueClosing): Issue {
  const {
    claimedBy: _claimedBy,
    claimToken: _claimToken,
    leaseUntil: _leaseUntil,
    ...rest
  } = issue;
  return {
    ...rest,
    status: "closed",
    closedAt: closing.at,
    closeReason: closing.reason,
    closedBy: closing.by,
    updatedAt: closing.at,
    comments: [
      ...issue.comments,
      { author: closing.by, at: closing.at, text: `closed: ${closing.reason}` },
    ],
    revision: issue.revision + 1,
  };
}
