import { type Issue, issueCommentKey } from "../model/issue.ts";
import { canonicalJson } from "../model/json.ts";
import type { MirroredIssue } from "../ports/issue-tracker.ts";

/**
 * A run turned `before` into `after` while `view` came to stand outside: one issue with both. Work that the run finished stays finished;
 * otherwise a person's status wins. Gives back `after` itself where nothing outside adds to it.
 */
export function rebaseIssue(input: {
  readonly before: Issue;
  readonly after: Issue;
  readonly view: Issue;
}): Issue {
  const { before, after, view } = input;
  const isOurs = view.status === before.status || isFinished(before, after);
  const { claimedBy: _by, claimToken: _token, leaseUntil: _until, ...free } = after;
  const { closedAt: _at, closeReason: _reason, closedBy: _closedBy, ...rest } = free;
  const result: Issue = {
    ...rest,
    ...statusFieldsOf(isOurs ? after : view),
    title: after.title === before.title ? view.title : after.title,
    priority: after.priority === before.priority ? view.priority : after.priority,
    labels: labelsOf(input),
    comments: mergedComments(after.comments, view.comments),
    updatedAt: Math.max(after.updatedAt, view.updatedAt),
    revision: Math.max(after.revision, view.revision) + 1,
  };
  const { updatedAt, revision } = after;
  return canonicalJson({ ...result, updatedAt, revision }) === canonicalJson(after)
    ? after
    : result;
}

function isFinished(before: Issue, after: Issue): boolean {
  return after.undone === true || (after.status === "closed" && before.status !== "closed");
}

function statusFieldsOf(issue: Issue): Pick<Issue, "status"> & Partial<Issue> {
  const { status, closedAt, closeReason, closedBy, claimedBy, claimToken, leaseUntil } = issue;
  return {
    status,
    ...(closedAt === undefined ? {} : { closedAt }),
    ...(closeReason === undefined ? {} : { closeReason }),
    ...(closedBy === undefined ? {} : { closedBy }),
    ...(claimedBy === undefined ? {} : { claimedBy }),
    ...(claimToken === undefined ? {} : { claimToken }),
    ...(leaseUntil === undefined ? {} : { leaseUntil }),
  };
}

/** What either side added, without what either removed. */
function labelsOf({ before, after, view }: Parameters<typeof rebaseIssue>[0]): readonly string[] {
  const isRemoved = (label: string, { labels }: Issue) =>
    before.labels.includes(label) && !labels.includes(label);
  const all = [...new Set([...after.labels, ...view.labels])];
  return all.filter((label) => !isRemoved(label, after) && !isRemoved(label, view));
}

function mergedComments(ours: Issue["comments"], theirs: Issue["comments"]): Issue["comments"] {
  const known = new Set(ours.map(issueCommentKey));
  const news = theirs.filter((comment) => !known.has(issueCommentKey(comment)));
  return news.length === 0 ? ours : [...ours, ...news].sort((a, b) => a.at - b.at);
}

/**
 * What is to stand in the store where `issue` does, now that the tracker has `found`; `issue` itself where that is nothing new. A later
 * state that slowwave itself wrote there (an approval by command, a claim of the library) replaces the store's; what people did is laid over.
 */
export function takenIn(issue: Issue | undefined, found: MirroredIssue): Issue | undefined {
  const { record } = found;
  if (issue === undefined) return record.undone ? undefined : found.change(record);
  if (issue.undone || record.undone) return issue;
  const isLater =
    record.updatedAt > issue.updatedAt ||
    (record.updatedAt === issue.updatedAt && record.revision > issue.revision);
  const base = isLater ? record : issue;
  const result = found.change(base);
  if (result === issue) return issue;
  return { ...result, revision: Math.max(issue.revision + 1, record.revision) };
}
