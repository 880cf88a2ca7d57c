import type { Change } from "../model/change.ts";
import { memoryKey } from "../model/memory.ts";
import type { NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import type { NotePut } from "./changes.ts";
import { readIfText } from "./find-notes.ts";
import { indexStep, planIndexNotes } from "./index-notes.ts";
import type { LastWritten } from "./last-written.ts";
import { type Move, planMoves } from "./note-moves.ts";
import { composeFor, type Noted, notedMemories } from "./note-subjects.ts";
import type { DecidedProposal } from "./plan.ts";
import { findRetired, type RetiredNote } from "./retired-notes.ts";
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
  const retired = newPaths.size === 0 ? NONE_RETIRED : await findRetired(input);
  const puts = new Map<string, readonly NotePut[]>();
  const extra: DecidedProposal[] = [];
  const missing: string[] = [];
  for (const memory of notedMemories(input.view)) {
    if (input.sync.left.has(memoryKey(memory))) continue;
    const projected = newPaths.has(memory.vaultPath)
      ? await projectNew({ memory, retired: retired.get(memory.id) }, input)
      : await projectOne({ memory, move: moves.get(memoryKey(memory)) }, input);
    switch (projected.kind) {
      case "same":
        break;
      case "missing":
        missing.push(memory.vaultPath);
        break;
      case "new":
        puts.set(memory.vaultPath, projected.puts);
        break;
      case "extra":
        extra.push(...projected.decided);
    }
  }
  const steps = [...input.decided.map((one) => withItsNotes(one, puts)), ...extra];
  const indexes = (await planIndexNotes({ ...input, isThere: presence(input, steps) })).map(
    indexStep,
  );
  const decided = [...steps, ...indexes];
  return { decided, notes: missing.length === 0 ? [] : [missingNote(missing)] };
}

type Projected =
  | { readonly kind: "same" | "missing" }
  | { readonly kind: "new"; readonly puts: readonly NotePut[] }
  | { readonly kind: "extra"; readonly decided: readonly DecidedProposal[] };

const NONE_RETIRED: ReadonlyMap<string, RetiredNote> = new Map();

/** The note of a new promotion. One that it had before, with what a person wrote there, comes back from the archive. */
async function projectNew(
  { memory, retired }: { readonly memory: Noted; readonly retired: RetiredNote | undefined },
  input: ProjectionInput,
): Promise<Projected> {
  const { vaultPath: path } = memory;
  // What cannot be read is refused where the note is to be written, and with it the promotion.
  const existing = await readIfText(input.vault, path);
  const before = existing === undefined ? null : { text: existing };
  const returned = retired && composeFor(memory, retired.text, input);
  if (before === null && retired !== undefined && returned?.kind === "text") {
    const put: NotePut = { kind: "note.put", path, before, after: { text: returned.text } };
    const from = { path: retired.path, before: { text: retired.text }, after: null } as const;
    return { kind: "new", puts: [put, { kind: "note.put", ...from }] };
  }
  const composed = composeFor(memory, existing, input);
  if (composed.kind === "edited") {
    return { kind: "extra", decided: editedNote(memory, composed.reason, input.view) };
  }
  if (composed.text === existing) return { kind: "same" };
  return {
    kind: "new",
    puts: [{ kind: "note.put", path, before, after: { text: composed.text } }],
  };
}

interface OneNote {
  readonly memory: Noted;
  readonly move: Move | undefined;
}

async function projectOne({ memory, move }: OneNote, input: ProjectionInput): Promise<Projected> {
  const existing = await readIfText(input.vault, move?.before.vaultPath ?? memory.vaultPath);
  if (memory.status === "archived" && !isItsNote(memory, existing, input)) return { kind: "same" };
  if (existing === undefined) return { kind: "missing" };
  const composed = composeFor(memory, existing, input);
  if (composed.kind === "edited") {
    return { kind: "extra", decided: editedNote(memory, composed.reason, input.view) };
  }
  const { text } = composed;
  const needs = input.sync.taken.get(memoryKey(memory));
  const dependsOn = needs === undefined ? [] : [needs];
  if (move !== undefined) {
    return { kind: "extra", decided: [moveStep(move, { from: existing, to: text }, dependsOn)] };
  }
  if (text === existing) return { kind: "same" };
  const path = memory.vaultPath;
  const put: NotePut = { kind: "note.put", path, before: { text: existing }, after: { text } };
  return { kind: "extra", decided: [rewriteOf(memory, put, dependsOn)] };
}

/** Whether a note is in the vault once the steps are done. */
function presence(
  { paths }: ProjectionInput,
  steps: readonly DecidedProposal[],
): (path: string) => boolean {
  const written = new Map<string, boolean>();
  for (const change of steps.flatMap((one) => one.changes)) {
    if (change.kind === "note.put") written.set(change.path, change.after !== null);
  }
  return (path) => written.get(path) ?? paths.has(path);
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

function withItsNotes(
  one: DecidedProposal,
  puts: ReadonlyMap<string, readonly NotePut[]>,
): DecidedProposal {
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
  { before, after, action, reason }: Move,
  texts: { readonly from: string; readonly to: string },
  dependsOn: readonly string[],
): DecidedProposal {
  return vaultStep({
    memory: after,
    action,
    title: `${before.vaultPath} → ${after.vaultPath}`,
    reason,
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
      title: `Note left as it is: ${memory.vaultPath}`,
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
