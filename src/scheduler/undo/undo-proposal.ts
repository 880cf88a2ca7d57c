import type { Change } from "../../model/change.ts";
import { hashOf } from "../../model/hash.ts";
import { isPut, keysOf } from "../changes.ts";
import type { DecidedProposal } from "../plan.ts";
import type { Undoing } from "./invert-change.ts";

/** One step of an undo. `results` names what it takes back; `alongside` is written with it: issues that decline it, an archived note. */
export function undoProposal(
  changes: readonly Change[],
  how: Undoing & { readonly alongside?: readonly Change[]; readonly dependsOn?: readonly string[] },
): DecidedProposal {
  const all = [...changes, ...(how.alongside ?? [])];
  const keys = changes.flatMap(keysOf);
  return {
    proposal: {
      id: `undo:${hashOf([how.runId, keys], 20)}`,
      agent: "undo",
      namespace: namespaceOf(changes),
      action: "undo",
      results: changes.map(idOf),
      confidence: 1,
      reason: `takes back ${how.runId}`,
      dependsOn: how.dependsOn ?? [],
      changes: all,
      finding: { title: `Undo ${how.runId}`, urgency: "low", members: [], scores: {} },
    },
    fate: "apply",
    changes: all,
  };
}

function namespaceOf(changes: readonly Change[]): string {
  const [first] = changes;
  if (first === undefined || !isPut(first)) return "";
  return (first.after ?? first.before)?.namespace ?? "";
}

/** Id of a change's record, or path of its note. */
export function idOf(change: Change): string {
  if (isPut(change)) return (change.after ?? change.before)?.id ?? "";
  return change.kind === "note.put" ? change.path : change.from;
}
