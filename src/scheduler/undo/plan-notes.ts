import type { NoteVault } from "../../ports/note-vault.ts";
import type { NotePut } from "../changes.ts";
import type { DecidedProposal } from "../plan.ts";
import type { Undoing } from "./invert-change.ts";
import type { LaterRuns } from "./later-runs.ts";
import type { GroupPlan, UndoRefusal } from "./plan-puts.ts";
import { undoProposal } from "./undo-proposal.ts";

export interface PlannedNotes {
  readonly decided: readonly DecidedProposal[];
  readonly refused: readonly UndoRefusal[];
}

/**
 * Takes notes back where they still are as a run wrote them: an edited one stays, whatever becomes of its memory. The note of a memory
 * that stays promoted stays with it.
 */
export async function planNotes(
  notes: readonly NotePut[],
  input: {
    readonly vault: NoteVault | undefined;
    readonly later: LaterRuns;
    readonly groups: readonly GroupPlan[];
    readonly undoing: Undoing;
  },
): Promise<PlannedNotes> {
  const decided: DecidedProposal[] = [];
  const refused: UndoRefusal[] = [];
  const owners = ownersByPath(input.groups);
  const vault = (await input.vault?.state())?.kind === "ready" ? input.vault : undefined;
  for (const note of notes) {
    const owner = owners.get(note.path);
    const planned = await planNote(note, { ...input, vault, owner });
    if (planned === undefined) continue;
    if ("reason" in planned) refused.push(planned);
    else decided.push(planned);
  }
  return { decided, refused };
}

function ownersByPath(groups: readonly GroupPlan[]): ReadonlyMap<string, GroupPlan> {
  const owners = new Map<string, GroupPlan>();
  for (const group of groups) {
    for (const { before, after } of group.puts) {
      for (const image of [before, after]) {
        if (image && "vaultPath" in image && image.vaultPath !== undefined)
          owners.set(image.vaultPath, group);
      }
    }
  }
  return owners;
}

async function planNote(
  note: NotePut,
  input: {
    readonly vault: NoteVault | undefined;
    readonly later: LaterRuns;
    readonly owner: GroupPlan | undefined;
    readonly undoing: Undoing;
  },
): Promise<DecidedProposal | UndoRefusal | undefined> {
  const { vault, later, owner, undoing } = input;
  const { path: id } = note;
  if (owner?.kind === "refuse") return { id, reason: "its memory stays as it is" };
  if (vault === undefined) return { id, reason: "its vault is not there" };
  const text = await vault.read(id);
  if (text === note.before?.text) return undefined;
  const isRemoval = note.before === null && text !== undefined;
  const isOurs = text === note.after?.text || (isRemoval && later.isNoteOurs(id, text));
  if (!isOurs) return { id, reason: "was edited since the run, and stays" };
  const before = text === undefined ? null : { text };
  const dependsOn = owner === undefined ? [] : [owner.one.proposal.id];
  return undoProposal([{ ...note, before, after: note.before }], { ...undoing, dependsOn });
}
