import { standingOf as standingOfIssue } from "../../model/issue.ts";
import { canonicalJson } from "../../model/json.ts";
import { isUndone, type StoredRecord } from "../../ports/store-rules.ts";
import type { PutChange } from "../changes.ts";

/** `moved`: someone changed the record since the run. */
export type Standing = "to undo" | "undone already" | "moved";

/** How a record stands to what would take it back. */
export function standingOfInverse(inverse: PutChange, found: StoredRecord | null): Standing {
  const standing = canonicalJson(found);
  if (standing === canonicalJson(inverse.before)) return "to undo";
  if (standing === canonicalJson(inverse.after)) return "undone already";
  return isTakenBack(inverse, found) ? "undone already" : "moved";
}

/** Undone by an earlier undo, at another time than this one's images say. */
function isTakenBack(inverse: PutChange, found: StoredRecord | null): boolean {
  if (found === null) return false;
  switch (inverse.kind) {
    case "memory.put":
      return inverse.after?.archivedReason === "undone" && isUndone(found);
    case "relation.put":
      return inverse.after?.undone === true && isUndone(found);
    case "issue.put":
      return (
        "fingerprint" in found &&
        standingOfIssue(found) === "declined" &&
        inverse.after !== null &&
        standingOfIssue(inverse.after) === "declined"
      );
  }
}
