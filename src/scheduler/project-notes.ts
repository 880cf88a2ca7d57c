import type { Change } from "../model/change.ts";
import { memoryKey, reviseMemory } from "../model/memory.ts";
import type { NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import type { NotePut } from "./changes.ts";
import type { LastWritten } from "./last-written.ts";
import { type Noted, notedMemories, subjectOf } from "./note-subjects.ts";
import type { DecidedProposal } from "./plan.ts";
import { planTopicNotes, topicStep } from "./topic-notes.ts";
import { findingOf, vaultStep } from "./vault-findings.ts";
import type { VaultSync } from "./vault-sync.ts";

export interface ProjectionInput {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: VaultFormat;
  readonly decided: readonly DecidedProposal[];
  /** Every path of the vault, as it is before the run. */
  readonly paths: ReadonlySet<string>;
  readonly sync: Pick<VaultSync, "taken" | "left">;
  readonly lastWritten: LastWritten;
  /** Makes changes visible in the view. */
  fold(changes: readonly Change[]): void;
}

/**
 * Notes are a projection of the final view, made after relations, so that links resolve both ways and a second run rewrites nothing.
 * A new promotion gets its note into its own changeset: both happen or neither. The note of an archived memory moves to the archive,
 * and back when its memory lives again.
 */
export async function projectNotes(
  input: ProjectionInput,
): Promise<{ readonly decided: readonly DecidedProposal[]; readonly notes: readonly string[] }> {
  const newPaths = newlyPromotedPaths(input.decided);
  // First all moves, so that every link leads to where its note will be.
  const moves = await planMoves(input);
  const puts = new Map<string, NotePut>();
  const extra: DecidedProposal[] = [];
  const missing: string[] = [];
  for (const memory of notedMemories(input.view)) {
    if (input.sync.left.has(memoryKey(memory))) continue;
    const move = moves.get(memoryKey(memory));
    const isNew = newPaths.has(memory.vaultPath);
    const projected = await projectOne({ memory, move, isNew }, input);
    if (projected.kind === "missing") missing.push(memory.vaultPath);
    if (projected.kind === "new") puts.set(memory.vaultPath, projected.put);
    if (projected.kind === "extra") extra.push(...projected.decided);
  }
  const topics = (await planTopicNotes(input)).map(topicStep);
  const decided = [...input.decided.map((one) => withItsNote(one, puts)), ...extra, ...topics];
  return { decided, notes: missing.length === 0 ? [] : [missingNote(missing)] };
}

interface Move {
  readonly before: Noted;
  readonly after: Noted;
}

/** Notes that no longer stand where their memory's status puts them. One that a person has changed stays where it is. */
async function planMoves(input: ProjectionInput): Promise<ReadonlyMap<string, Move>> {
  const moves = new Map<string, Move>();
  const memories = notedMemories(input.view);
  const taken = new Set([...input.paths, ...memories.map((memory) => memory.vaultPath)]);
  for (const before of memories) {
    if (!(await isMisplaced(before, input))) continue;
    const vaultPath = input.format.placeFor(before, taken);
    taken.add(vaultPath);
    const after = { ...reviseMemory(before, { vaultPath }), vaultPath };
    input.fold([{ kind: "memory.put", before, after }]);
    moves.set(memoryKey(before), { before, after });
  }
  return moves;
}

async function isMisplaced(memory: Noted, input: ProjectionInput): Promise<boolean> {
  const { vault, format, sync } = input;
  if (sync.left.has(memoryKey(memory))) return false;
  const text = await vault.read(memory.vaultPath);
  const identity = text === undefined ? undefined : format.identify(text);
  if (identity?.id !== memory.id || identity.retired === (memory.status === "archived"))
    return false;
  return compose(memory, text, input).kind === "text";
}

function compose(memory: Noted, existing: string | undefined, input: ProjectionInput) {
  const edits = input.sync.taken.has(memoryKey(memory)) ? "taken" : "kept";
  return input.format.compose(subjectOf(memory, input), existing, edits);
}

type Projected =
  | { readonly kind: "same" | "missing" }
  | { readonly kind: "new"; readonly put: NotePut }
  | { readonly kind: "extra"; readonly decided: readonly DecidedProposal[] };

interface OneNote {
  readonly memory: Noted;
  readonly move: Move | undefined;
  readonly isNew: boolean;
}

async function projectOne(one: OneNote, input: ProjectionInput): Promise<Projected> {
  const { memory, move, isNew } = one;
  const existing = await input.vault.read(move?.before.vaultPath ?? memory.vaultPath);
  if (memory.status === "archived" && !isItsNote(memory, existing, input)) return { kind: "same" };
  if (existing === undefined && !isNew) return { kind: "missing" };
  const composed = compose(memory, existing, input);
  if (composed.kind === "edited") {
    return { kind: "extra", decided: editedNote(memory, composed.reason, input.view) };
  }
  return stepFor(one, { existing, text: composed.text }, input);
}

function stepFor(
  { memory, move, isNew }: OneNote,
  { existing, text }: { readonly existing: string | undefined; readonly text: string },
  { sync }: ProjectionInput,
): Projected {
  const needs = sync.taken.get(memoryKey(memory));
  const dependsOn = needs === undefined ? [] : [needs];
  if (move !== undefined && existing !== undefined) {
    return { kind: "extra", decided: [moveStep(move, { from: existing, to: text }, dependsOn)] };
  }
  if (text === existing) return { kind: "same" };
  const before = existing === undefined ? null : { text: existing };
  const put: NotePut = { kind: "note.put", path: memory.vaultPath, before, after: { text } };
  return isNew
    ? { kind: "new", put }
    : { kind: "extra", decided: [rewriteOf(memory, put, dependsOn)] };
}

/** A person who throws an archived note away has no more use for it, and what stands in its place is theirs. */
function isItsNote(memory: Noted, text: string | undefined, { format }: ProjectionInput): boolean {
  return text !== undefined && format.identify(text)?.id === memory.id;
}

function newlyPromotedPaths(decided: readonly DecidedProposal[]): ReadonlySet<string> {
  return new Set(
    decided.flatMap((one) => one.changes.flatMap((change) => promotionPath(change) ?? [])),
  );
}

/** The note path of a change that promotes: a memory that has a note after and had none before. */
function promotionPath(change: Change): string | undefined {
  if (change.kind !== "memory.put" || change.after?.status !== "promoted") return undefined;
  return change.before?.status === "promoted" ? undefined : change.after.vaultPath;
}

function withItsNote(one: DecidedProposal, puts: ReadonlyMap<string, NotePut>): DecidedProposal {
  const notes = one.changes.flatMap((change) => puts.get(promotionPath(change) ?? "") ?? []);
  return notes.length === 0 ? one : { ...one, changes: [...one.changes, ...notes] };
}

function rewriteOf(memory: Noted, put: NotePut, dependsOn: readonly string[]): DecidedProposal {
  return vaultStep({
    memory,
    action: "update_note",
    title: put.path,
    reason: "its memory, links or sources changed",
    changes: [put],
    dependsOn,
  });
}

/** The new note is written before the old one goes: at no moment is there none. */
function moveStep(
  { before, after }: Move,
  texts: { readonly from: string; readonly to: string },
  dependsOn: readonly string[],
): DecidedProposal {
  const isArchived = after.status === "archived";
  return vaultStep({
    memory: after,
    action: isArchived ? "archive_note" : "restore_note",
    title: `${before.vaultPath} → ${after.vaultPath}`,
    reason: isArchived
      ? `its memory is archived (${after.archivedReason ?? "archived"})`
      : "its memory lives again",
    changes: [
      { kind: "memory.put", before, after },
      { kind: "note.put", path: after.vaultPath, before: null, after: { text: texts.to } },
      { kind: "note.put", path: before.vaultPath, before: { text: texts.from }, after: null },
    ],
    dependsOn,
  });
}

/** A person edited the part of a note that is ours: it stays as it is, and an issue says so, once. */
function editedNote(memory: Noted, reason: string, view: View): readonly DecidedProposal[] {
  return findingOf(
    {
      memory,
      action: "note_edited",
      title: `Note edited by hand: ${memory.vaultPath}`,
      reason,
      details: { path: memory.vaultPath },
    },
    view,
  ).opened;
}

function missingNote(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).join(", ");
  const more = paths.length > 3 ? ` and ${paths.length - 3} more` : "";
  return `notes: ${paths.length} missing from the vault, not written again: ${shown}${more}`;
}
