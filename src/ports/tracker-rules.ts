import { SlowwaveError } from "../model/errors.ts";
import {
  agentLabel,
  closeIssueRecord,
  createIssue,
  ISSUE_LABELS,
  type Issue,
  mergedTextOf,
  type NewIssue,
  withMergedText,
  withoutMergedText,
} from "../model/issue.ts";
import { urgencyOf } from "../model/issue-queue.ts";
import { canonicalJson } from "../model/json.ts";
import type {
  ApprovalHow,
  ClaimRequest,
  ClaimResult,
  IssueActor,
  IssueQuery,
  ReceiveOutcome,
} from "./issue-tracker.ts";
import { compareTexts } from "./store-rules.ts";

/** The rules that every tracker keeps, whatever it is made of. All are pure. */

/** What is to stand where `existing` stands now (the issue of the same fingerprint, if any) so that the finding is an open issue. */
export function createdIssue(
  issue: NewIssue,
  existing: Issue | undefined,
  actor: IssueActor,
): { readonly issue: Issue; readonly created: boolean } {
  const fresh = createIssue(issue, actor.at);
  if (existing === undefined) return { issue: fresh, created: true };
  if (existing.status !== "closed" && !existing.undone) return { issue: existing, created: false };
  // The id derives from the fingerprint, so a finding that comes back after its issue was closed is the same issue, opened again.
  const text = existing.undone ? "found again after its run was undone" : "found again";
  const comments = [...existing.comments, { author: actor.by, at: actor.at, text }];
  const revived = { ...fresh, id: existing.id, createdAt: existing.createdAt, comments };
  return { issue: { ...revived, revision: existing.revision + 1 }, created: true };
}

/** The claimed issue, or why it cannot be claimed. A claim made again with its own token renews the lease. */
export function claimedIssue(issue: Issue | undefined, request: ClaimRequest): ClaimResult {
  if (issue === undefined) return { ok: false, why: "not_found" };
  if (issue.status === "closed" || issue.status === "blocked") {
    return { ok: false, why: "not_claimable" };
  }
  const expired = issue.leaseUntil !== undefined && issue.leaseUntil <= request.now;
  const own = issue.claimToken === request.token;
  if (issue.status === "in_progress" && !expired && !own) {
    const { claimedBy } = issue;
    return { ok: false, why: "held", ...(claimedBy === undefined ? {} : { holder: claimedBy }) };
  }
  const claimed: Issue = {
    ...issue,
    status: "in_progress",
    claimedBy: request.owner,
    claimToken: request.token,
    leaseUntil: request.now + request.leaseMs,
    updatedAt: request.now,
    revision: issue.revision + 1,
  };
  return { ok: true, issue: claimed };
}

/** Closing what is closed changes nothing: the first reason stands. */
export function closedIssue(issue: Issue, reason: string, actor: IssueActor): Issue {
  return issue.status === "closed" ? issue : closeIssueRecord(issue, { reason, ...actor });
}

export function blockedIssue(issue: Issue, reason: string, actor: IssueActor): Issue {
  refuseClosed(issue, "block");
  const notes = { ...issue.notes, error: reason };
  return commented({ ...released(issue), status: "blocked", notes }, `blocked: ${reason}`, actor);
}

/** Back to waiting: claim, closing and error go. A closed issue also loses its approval, which was for what is done or declined by now. */
export function reopenedIssue(issue: Issue, reason: string, actor: IssueActor): Issue {
  if (issue.status === "open") return issue;
  const { closedAt: _at, closeReason: _reason, closedBy: _by, ...rest } = released(issue);
  const { error: _error, ...noted } = issue.notes;
  const isClosed = issue.status === "closed";
  const labels = isClosed
    ? issue.labels.filter((label) => label !== ISSUE_LABELS.approved)
    : issue.labels;
  const notes = isClosed ? withoutMergedText(noted) : noted;
  return commented({ ...rest, status: "open", labels, notes }, `reopened: ${reason}`, actor);
}

/** A blocked issue is opened by it: a person who approves wants it tried again. */
export function approvedIssue(issue: Issue, actor: IssueActor, how: ApprovalHow = {}): Issue {
  refuseClosed(issue, "approve");
  const { mergedText } = how;
  const isApproved = issue.labels.includes(ISSUE_LABELS.approved) && issue.status !== "blocked";
  if (isApproved && (mergedText === undefined || mergedText === mergedTextOf(issue))) return issue;
  const open = issue.status === "blocked" ? reopenedIssue(issue, "approved", actor) : issue;
  const labels = [...new Set([...open.labels, ISSUE_LABELS.approved])];
  if (mergedText === undefined) {
    // An earlier text of somebody's own may be what it was blocked for.
    const notes = withoutMergedText(open.notes);
    return commented({ ...open, labels, notes }, "approved", actor);
  }
  return commented(withMergedText({ ...open, labels }, mergedText), "approved, edited", actor);
}

/** What becomes of an issue from elsewhere; `same` is one with its finding, which may be itself. `issue`: what is to be written. */
export function receivedIssue(
  issue: Issue,
  known: {
    readonly existing: Issue | undefined;
    readonly same: Issue | undefined;
    readonly change: ((issue: Issue) => Issue) | undefined;
  },
): { readonly outcome: ReceiveOutcome; readonly issue?: Issue } {
  const { existing, same, change = (one: Issue) => one } = known;
  const isTaken = same !== undefined && same.id !== issue.id && same.status !== "closed";
  if (isTaken && issue.status !== "closed") return { outcome: "duplicate" };
  if (existing === undefined) return { outcome: "added", issue: change(issue) };
  const isSame =
    canonicalJson({ ...issue, revision: existing.revision }) === canonicalJson(existing);
  const isLater = !isSame && issue.updatedAt > existing.updatedAt;
  const result = change(isLater ? issue : existing);
  if (result === existing) return { outcome: isSame ? "unchanged" : "older" };
  return { outcome: "updated", issue: { ...result, revision: existing.revision + 1 } };
}

export function commentedIssue(issue: Issue, text: string, actor: IssueActor): Issue {
  return commented(issue, text, actor);
}

/** True where all given fields match. Issues of an undone run match nothing. */
export function matchesQuery(issue: Issue, query: IssueQuery): boolean {
  const { labels = [], status, urgency, agent } = query;
  return (
    !issue.undone &&
    (query.namespace === undefined || issue.namespace === query.namespace) &&
    (query.fingerprint === undefined || issue.fingerprint === query.fingerprint) &&
    (status === undefined || status.includes(issue.status)) &&
    (urgency === undefined || urgencyOf(issue) === urgency) &&
    (agent === undefined || issue.labels.includes(agentLabel(agent))) &&
    labels.every((label) => issue.labels.includes(label))
  );
}

/** Most urgent first, then oldest, then by id; cut to the query's limit. */
export function orderIssues(issues: readonly Issue[], query: IssueQuery): readonly Issue[] {
  const ordered = issues.toSorted(
    (a, b) => a.priority - b.priority || a.createdAt - b.createdAt || compareTexts([a.id], [b.id]),
  );
  return query.limit === undefined ? ordered : ordered.slice(0, query.limit);
}

export function issueNotFound(id: string): SlowwaveError {
  return new SlowwaveError("not_found", `issue ${JSON.stringify(id)}: there is none with this id`, {
    hint: "`slowwave issues list` shows the open ones.",
  });
}

function refuseClosed(issue: Issue, verb: string): void {
  if (issue.status !== "closed") return;
  throw new SlowwaveError("tracker", `issue ${issue.id}: cannot ${verb} it, it is closed`, {
    hint: `Reopen it first: slowwave issues reopen ${issue.id}`,
  });
}

function released(issue: Issue): Issue {
  const { claimedBy: _claimedBy, claimToken: _claimToken, leaseUntil: _until, ...rest } = issue;
  return rest;
}

/** Ends a step: one comment and one revision, whatever else the step changed. */
function commented(issue: Issue, text: string, { by, at }: IssueActor): Issue {
  return {
    ...issue,
    comments: [...issue.comments, { author: by, at, text }],
    updatedAt: at,
    revision: issue.revision + 1,
  };
}
