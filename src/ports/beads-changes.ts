import { DAY_MS, type Instant, parseInstant } from "../model/instant.ts";
import { ISSUE_LABELS, type Issue, type IssueStatus, issueCommentKey } from "../model/issue.ts";

/** What people do with an issue in beads, and how it is laid over the issue. */

type Comment = Issue["comments"][number];

/** The fields of a line that people change. */
interface ChangedLine {
  readonly title: string;
  readonly priority: Issue["priority"];
  readonly status: string;
  readonly labels?: readonly string[] | null | undefined;
  readonly assignee?: string | null | undefined;
  readonly updated_at?: string | null | undefined;
  readonly closed_at?: string | null | undefined;
  readonly close_reason?: string | null | undefined;
  readonly comments?:
    | readonly { readonly author: string; readonly text: string; readonly created_at: string }[]
    | null
    | undefined;
}

export interface BeadsDelta {
  readonly record: Issue;
  /** beads moves it on for fields, not for labels and comments. */
  readonly at: Instant;
  readonly title?: string;
  readonly priority?: Issue["priority"];
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly status?: Pick<Issue, "status"> & Partial<Issue>;
  readonly comments: readonly Comment[];
  /** All of it but the comments in words; empty where there is nothing. */
  readonly words: string;
}

/** An issue whose run was undone is over for whoever looks at it in beads. */
export function beadsStatus({ status, undone }: Issue): IssueStatus {
  return undone ? "closed" : status;
}

/** `title` is the record's as beads was given it. */
export function deltaOf(
  line: ChangedLine,
  { record, title }: { readonly record: Issue; readonly title: string },
): BeadsDelta {
  const labels = line.labels ?? [];
  const fields = {
    ...(line.title === title ? {} : { title: line.title }),
    ...(line.priority === record.priority ? {} : { priority: line.priority }),
    added: labels.filter((label) => !record.labels.includes(label)),
    removed: record.labels.filter((label) => !labels.includes(label)),
  };
  const at = timeOf(line.updated_at) ?? record.updatedAt;
  const status = statusFields(line, { record, at });
  const comments = (line.comments ?? []).map(({ author, text, created_at }) => {
    return { author, text, at: parseInstant(created_at, "comments.created_at") };
  });
  const words = [
    ...(fields.title === undefined ? [] : [`title ${JSON.stringify(fields.title)}`]),
    ...(fields.priority === undefined ? [] : [`priority ${fields.priority}`]),
    ...fields.added.map((label) => `+${label}`),
    ...fields.removed.map((label) => `-${label}`),
    ...(status === undefined ? [] : [`${status.status} ${status.closeReason ?? ""}`.trim()]),
  ].join(", ");
  return { ...fields, record, at, ...(status ? { status } : {}), comments, words };
}

/**
 * A comment marks what was laid over an issue, so that reading the same line again changes nothing, whatever happened to the issue since.
 */
export function layOver(target: Issue, delta: BeadsDelta): Issue {
  const comments = newComments(delta.comments, target);
  const mark = { author: BY_BEADS, at: delta.at, text: `in beads: ${delta.words}` };
  const isNews = delta.words !== "" && newComments([mark], target).length > 0;
  if (!isNews && comments.length === 0) return target;
  return {
    ...(isNews ? changedFields(delta, target) : target),
    comments: [...target.comments, ...comments, ...(isNews ? [mark] : [])],
    updatedAt: Math.max(target.updatedAt, delta.at),
    revision: target.revision + 1,
  };
}

const BY_BEADS = "person:beads";
/** beads knows no lease. Whoever takes an issue there and does nothing about it loses it after as long as an issue waits untouched. */
const CLAIM_MS = 7 * DAY_MS;

function changedFields(delta: BeadsDelta, target: Issue): Issue {
  const { title = target.title, priority = target.priority, added, removed, record } = delta;
  const kept = target.labels.filter((label) => !removed.includes(label));
  const labels = [...new Set([...kept, ...added])];
  const changed = { ...target, title, priority, labels };
  // What was closed here meanwhile stays closed, unless beads reopened that very close.
  const isComparable = (target.status === "closed") === (record.status === "closed");
  if (delta.status === undefined || !isComparable) return changed;
  const { claimedBy: _by, claimToken: _token, leaseUntil: _until, ...free } = changed;
  const { closedAt: _at, closeReason: _reason, closedBy: _closedBy, ...open } = free;
  const isReopened = record.status === "closed" && delta.status.status !== "closed";
  return { ...open, ...delta.status, labels: isReopened ? unapproved(labels, delta) : labels };
}

/** The approval was for what is done or declined by now, unless it came with the reopening. */
function unapproved(labels: readonly string[], { added }: BeadsDelta): readonly string[] {
  if (added.includes(ISSUE_LABELS.approved)) return labels;
  return labels.filter((label) => label !== ISSUE_LABELS.approved);
}

function newComments(comments: readonly Comment[], issue: Issue): readonly Comment[] {
  const known = new Set(issue.comments.map(issueCommentKey));
  return comments.filter((comment) => !known.has(issueCommentKey(comment)));
}

/** Whatever differs from the record was a person's doing: what slowwave writes there, it writes into the record too. */
function statusFields(
  line: ChangedLine,
  { record, at }: { readonly record: Issue; readonly at: Instant },
): BeadsDelta["status"] {
  const status = statusOf(line.status);
  const reason = line.close_reason ?? "";
  const isReclosed = status === "closed" && !record.undone && reason !== (record.closeReason ?? "");
  if (status === beadsStatus(record) && !isReclosed) return undefined;
  switch (status) {
    case "closed": {
      const closedAt = timeOf(line.closed_at) ?? at;
      return { status, closedAt, closeReason: reason, closedBy: BY_BEADS };
    }
    case "in_progress":
      return { status, claimedBy: line.assignee || BY_BEADS, leaseUntil: at + CLAIM_MS };
    case "open":
    case "blocked":
      return { status };
  }
}

/** What beads calls deferred or pinned waits, like what is blocked; so does a status of a team's own. */
function statusOf(status: string): IssueStatus {
  if (status === "open" || status === "closed" || status === "in_progress") return status;
  return status === "hooked" ? "in_progress" : "blocked";
}

function timeOf(value: string | null | undefined): Instant | undefined {
  return value == null ? undefined : parseInstant(value, "time");
}
