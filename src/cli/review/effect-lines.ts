import type { Change } from "../../model/change.ts";
import type { Memory } from "../../model/memory.ts";
import type { Relation } from "../../model/relation.ts";
import { oneLine, printable } from "../paint.ts";

const LENGTH = 90;

/** What a changeset does to memories and relations, one line each; the issue that it closes goes without saying. */
export function effectLines(changes: readonly Change[]): readonly string[] {
  return changes.flatMap(effectLine);
}

function effectLine(change: Change): readonly string[] {
  switch (change.kind) {
    case "memory.put":
      return change.after === null ? [] : [memoryLine(change.before, change.after)];
    case "relation.put":
      return change.after === null || change.after.undone
        ? []
        : [linkLine(change.before, change.after)];
    case "note.put":
      return [`write ${printable(change.path)}`];
    case "note.move":
      return [`move ${printable(change.from)} to ${printable(change.to)}`];
    case "issue.put":
      return [];
  }
}

function memoryLine(before: Memory | null, after: Memory): string {
  const named = `${printable(after.id)}  ${oneLine(after.content, LENGTH)}`;
  if (after.status === "archived" && before?.status !== "archived") return `archive ${named}`;
  if (before === null) return `make ${named}`;
  if (after.status === "promoted" && before.status !== "promoted") return `promote ${named}`;
  if (after.reviewCount > before.reviewCount) return `record a review of ${named}`;
  return `change ${named}`;
}

function linkLine(before: Relation | null, { from, to, type }: Relation): string {
  const verb = before === null ? "link" : "change the link";
  return `${verb} ${printable(from)} ${printable(type)} ${printable(to)}`;
}
