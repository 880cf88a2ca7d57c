import type { JournalStep } from "../../model/run.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { StoredRecord } from "../../ports/store-rules.ts";
import { type PutChange, toRecordPut } from "../changes.ts";
import type { DecidedProposal } from "../plan.ts";
import { readCurrent } from "../read-current.ts";
import { type Decline, declineSteps } from "./declined-steps.ts";
import { invertPut, type Undoing } from "./invert-change.ts";
import type { LaterRuns } from "./later-runs.ts";
import { type Standing, standingOfInverse } from "./standing.ts";
import { keyOfChange, tieChanges } from "./tie-changes.ts";
import { idOf, undoProposal } from "./undo-proposal.ts";

/** A record or note that stays as it is, and why. */
export interface UndoRefusal {
  /** Id of the record, or path of the note. */
  readonly id: string;
  readonly reason: string;
}

/** Records that are taken back, or stay, together. */
export type GroupPlan =
  | { readonly kind: "undo"; readonly one: DecidedProposal; readonly puts: readonly PutChange[] }
  | {
      readonly kind: "refuse";
      readonly refused: readonly UndoRefusal[];
      readonly puts: readonly PutChange[];
    };

/** Takes records back, group by group. What is as it was before the run already is passed over. */
export async function planPuts(
  puts: readonly PutChange[],
  input: {
    readonly steps: readonly JournalStep[];
    readonly later: LaterRuns;
    readonly undoing: Undoing;
    readonly store: MemoryStore;
  },
): Promise<readonly GroupPlan[]> {
  const { steps, later, undoing, store } = input;
  const groups = tieChanges(puts, steps).map((group) =>
    group.map((put) => invertPut(put, undoing)),
  );
  const inverses = groups.flat();
  const current = await readCurrent(inverses.map(toRecordPut), store);
  const declines = undoing.isUndo ? [] : await declineSteps(steps, { undoing, inverses, store });
  const takeDeclines = createDeclines(declines);
  return groups.flatMap((group): GroupPlan[] => {
    const judged = group.map((inverse) => judge(inverse, current));
    const moved = judged.find(({ standing }) => standing === "moved");
    if (moved !== undefined) {
      const refused = judged.map((one) => refuse(one, { moved, later }));
      return [{ kind: "refuse", refused, puts: group }];
    }
    const changes = judged
      .filter(({ standing }) => standing === "to undo")
      .map(({ inverse }) => inverse);
    if (changes.length === 0) return [];
    const one = undoProposal(changes, { ...undoing, alongside: takeDeclines(changes) });
    return [{ kind: "undo", one, puts: changes }];
  });
}

interface Judged {
  readonly inverse: PutChange;
  readonly found: StoredRecord | null;
  readonly standing: Standing;
}

function judge(inverse: PutChange, current: ReadonlyMap<string, StoredRecord>): Judged {
  const found = current.get(keyOfChange(inverse)) ?? null;
  return { inverse, found, standing: standingOfInverse(inverse, found) };
}

function refuse(
  { inverse, found, standing }: Judged,
  why: { readonly moved: Judged; readonly later: LaterRuns },
): UndoRefusal {
  const id = idOf(inverse);
  if (standing === "moved") return { id, reason: why.later.whyMoved(keyOfChange(inverse), found) };
  return { id, reason: `belongs together with ${idOf(why.moved.inverse)}, which stays` };
}

/** Each finding is declined once, with the first of its records that is taken back. */
function createDeclines(declines: readonly Decline[]) {
  const byKey = new Map<string, Decline[]>();
  for (const decline of declines) {
    for (const key of decline.touches) byKey.set(key, [...(byKey.get(key) ?? []), decline]);
  }
  const taken = new Set<Decline>();
  return (changes: readonly PutChange[]): readonly PutChange[] => {
    const fresh = changes
      .flatMap((change) => byKey.get(keyOfChange(change)) ?? [])
      .filter((decline) => !taken.has(decline));
    for (const decline of fresh) taken.add(decline);
    return [...new Set(fresh)].map(({ change }) => change);
  };
}
