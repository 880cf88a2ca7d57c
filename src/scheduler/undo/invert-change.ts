import type { Instant } from "../../model/instant.ts";
import { closeIssueRecord, ISSUE_LABELS, type Issue, standingOf } from "../../model/issue.ts";
import { type Memory, reviseMemory } from "../../model/memory.ts";
import type { PutChange } from "../changes.ts";

/** Closes an issue in a person's name: whoever takes a run back declines what it did, until a source changes. */
const UNDONE_BY = "person:undo";

export interface Undoing {
  readonly runId: string;
  /** The run is itself an undo: its changes are taken back to the letter, with the declining it did. */
  readonly isUndo: boolean;
  readonly now: Instant;
}

/**
 * What takes a change back: the before-image, to the letter, so that the record is again what it was. What the run created becomes
 * undone, since nothing is deleted.
 */
export function invertPut(put: PutChange, undoing: Undoing): PutChange {
  switch (put.kind) {
    case "memory.put": {
      const { before, after } = put;
      if (before !== null || after === null) return { ...put, before: after, after: before };
      return { ...put, before: after, after: undoneMemory(after, undoing.now) };
    }
    case "relation.put": {
      const { before, after } = put;
      if (before !== null || after === null) return { ...put, before: after, after: before };
      const undone = { ...after, undone: true, revision: after.revision + 1 } as const;
      return { ...put, before: after, after: undone };
    }
    case "issue.put": {
      const { before, after } = put;
      if (after === null) return { ...put, before: after, after: before };
      return { ...put, before: after, after: issueBefore(before, after, undoing) };
    }
  }
}

function undoneMemory(memory: Memory, now: Instant): Memory {
  return reviseMemory(memory, { status: "archived", archivedAt: now, archivedReason: "undone" });
}

function issueBefore(before: Issue | null, after: Issue, undoing: Undoing): Issue {
  if (before === null) {
    return after.closedBy === UNDONE_BY
      ? settledIssue(after, undoing)
      : { ...declineIssue(after, undoing), undone: true };
  }
  if (undoing.isUndo || !isDecided(before, after)) return before;
  return { ...declineIssue(before, undoing), revision: after.revision + 1 };
}

/** The run did what the issue asks for, or asked for it again: both are declined with it. Other closings just no longer hold. */
function isDecided(before: Issue, after: Issue): boolean {
  if (before.status === "closed") return after.status !== "closed";
  if (after.status !== "closed") return false;
  return standingOf(before) === "approved" || after.closedBy === "agent:merge";
}

/** An issue that an undo filed to decline something, once that undo is taken back: it says nothing any more. */
function settledIssue(issue: Issue, { runId, now }: Undoing): Issue {
  return closeIssueRecord(issue, { reason: `${runId} was undone`, by: "agent:undo", at: now });
}

export function declineIssue(issue: Issue, { runId, now }: Undoing): Issue {
  const closed = closeIssueRecord(issue, { reason: `${runId} was undone`, by: UNDONE_BY, at: now });
  return { ...closed, labels: issue.labels.filter((label) => label !== ISSUE_LABELS.approved) };
}
