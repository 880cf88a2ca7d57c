import type { NoteVault } from "../../ports/note-vault.ts";
import type { NotePut, PutChange } from "../changes.ts";
import type { DecidedProposal } from "../plan.ts";
import { readText } from "../read-text.ts";
import type { RunDeps } from "../run-deps.ts";
import { createWorkspace } from "../workspace.ts";
import type { Undoing } from "./invert-change.ts";
import type { LaterRuns } from "./later-runs.ts";
import type { GroupPlan, UndoRefusal } from "./plan-puts.ts";
import { newlyNoted, type Retirement, retireNote } from "./retire-note.ts";
import { undoProposal } from "./undo-proposal.ts";

export interface PlannedNotes {
  readonly decided: readonly DecidedProposal[];
  readonly refused: readonly UndoRefusal[];
}

interface NotesInput {
  readonly deps: RunDeps;
  readonly later: LaterRuns;
  /** What the run did to records. */
  readonly puts: readonly PutChange[];
  readonly groups: readonly GroupPlan[];
  readonly undoing: Undoing;
}

/**
 * Takes notes back where they still are as a run wrote them, or retires the note of a memory that is no longer promoted to the archive,
 * with what a person added around our part. One whose part that is ours was edited stays, whatever becomes of its memory. The note of a
 * memory that stays promoted stays with it.
 */
export async function planNotes(
  notes: readonly NotePut[],
  input: NotesInput,
): Promise<PlannedNotes> {
  const decided: DecidedProposal[] = [];
  const refused: UndoRefusal[] = [];
  const { deps } = input;
  const vault = (await deps.vault?.state())?.kind === "ready" ? deps.vault : undefined;
  const context: NoteContext = {
    ...input,
    vault,
    ownerOf: createOwners(input.groups),
    retirement: await createRetirement(input, vault),
  };
  for (const note of notes) {
    const planned = await planNote(note, context);
    if (planned === undefined) continue;
    if ("reason" in planned) refused.push(planned);
    else decided.push(planned);
  }
  return { decided, refused };
}

interface NoteContext extends NotesInput {
  readonly vault: NoteVault | undefined;
  readonly ownerOf: (path: string, id: string | undefined) => GroupPlan | undefined;
  readonly retirement: Retirement;
}

async function createRetirement(
  { deps, puts, undoing: { now } }: NotesInput,
  vault: NoteVault | undefined,
): Promise<Retirement> {
  const { store } = deps;
  let view: Promise<ReturnType<typeof createWorkspace>["view"]> | undefined;
  let taken: Promise<Set<string>> | undefined;
  const openView = async () =>
    createWorkspace({ snapshot: await store.snapshot(), now, journal: [] }).view;
  return {
    format: await deps.loadNoteFormat(),
    now,
    promoted: newlyNoted(puts),
    view: () => {
      view ??= openView();
      return view;
    },
    taken: () => {
      taken ??= (async () => new Set(await vault?.paths()))();
      return taken;
    },
  };
}

/** By the path of a note, or else by the id in it: an archived note is named by no memory. */
function createOwners(groups: readonly GroupPlan[]): NoteContext["ownerOf"] {
  const owned = groups.flatMap((group) =>
    group.puts.flatMap((put) =>
      put.kind === "memory.put"
        ? [put.before, put.after].flatMap((image) => (image ? [{ image, group }] : []))
        : [],
    ),
  );
  const byPath = new Map(owned.map(({ image, group }) => [image.vaultPath, group]));
  const byId = new Map(owned.map(({ image, group }) => [image.id, group]));
  return (path, id) => byPath.get(path) ?? byId.get(id ?? "");
}

async function planNote(
  note: NotePut,
  input: NoteContext,
): Promise<DecidedProposal | UndoRefusal | undefined> {
  const { vault, undoing, retirement } = input;
  const { path: id } = note;
  const image = (note.after ?? note.before)?.text ?? "";
  const owner = input.ownerOf(id, retirement.format.identify(image)?.id);
  if (owner?.kind === "refuse") return { id, reason: "its memory stays as it is" };
  if (vault === undefined) return { id, reason: "its vault is not there" };
  const { text, problem } = await readText(vault, id);
  if (problem !== undefined) return { id, reason: problem };
  if (text === note.before?.text) return undefined;
  const retired = await retiring(note, text, retirement);
  if (retired === undefined && !isAsWritten(note, text, input.later)) {
    return { id, reason: "was edited since the run, and stays" };
  }
  const before = text === undefined ? null : { text };
  const dependsOn = owner === undefined ? [] : [owner.one.proposal.id];
  const how = { ...undoing, dependsOn, ...(retired ? { alongside: [retired] } : {}) };
  return undoProposal([{ ...note, before, after: note.before }], how);
}

async function retiring(
  { path, before }: NotePut,
  text: string | undefined,
  retirement: Retirement,
): Promise<NotePut | undefined> {
  if (before !== null || text === undefined) return undefined;
  return await retireNote({ path, text }, retirement);
}

/** What a later run wrote is ours to remove, too, where there was nothing before. */
function isAsWritten(note: NotePut, text: string | undefined, later: LaterRuns): boolean {
  if (text === note.after?.text) return true;
  return note.before === null && text !== undefined && later.isNoteOurs(note.path, text);
}
