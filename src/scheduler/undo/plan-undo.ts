import type { Run } from "../../model/run.ts";
import { foldChanges, isPut, type NotePut } from "../changes.ts";
import type { DecidedProposal } from "../plan.ts";
import type { RunDeps } from "../run-deps.ts";
import { createLaterRuns } from "./later-runs.ts";
import { planNotes } from "./plan-notes.ts";
import { planPuts, type UndoRefusal } from "./plan-puts.ts";

export interface UndoPlan {
  readonly decided: readonly DecidedProposal[];
  readonly refused: readonly UndoRefusal[];
  /** How many records and notes the run changed. */
  readonly touched: number;
}

/** Reads only. What still is as the run left it is taken back; the rest is refused, each with its reason. */
export async function planUndo(
  run: Run,
  { deps, now }: { readonly deps: RunDeps; readonly now: number },
): Promise<UndoPlan> {
  const journal = await deps.store.read("journal", { since: run.asOf, state: ["applied"] });
  const entries = journal
    .filter((entry) => entry.runId === run.id)
    .toSorted((a, b) => a.batch - b.batch);
  const changes = foldChanges(entries.flatMap((entry) => entry.changes));
  const undoing = { runId: run.id, isUndo: run.scope === "undo", now };
  const later = createLaterRuns(journal.filter((entry) => entry.runId !== run.id));
  const puts = changes.filter(isPut);
  const groups = await planPuts(puts, {
    steps: entries.flatMap((entry) => entry.steps),
    later,
    undoing,
    store: deps.store,
  });
  const notes = await planNotes(
    changes.filter((change): change is NotePut => change.kind === "note.put"),
    { deps, later, puts, groups, undoing },
  );
  return {
    decided: [
      ...groups.flatMap((group) => (group.kind === "undo" ? [group.one] : [])),
      ...notes.decided,
    ],
    refused: [
      ...groups.flatMap((group) => (group.kind === "refuse" ? group.refused : [])),
      ...notes.refused,
    ],
    touched: changes.length,
  };
}
