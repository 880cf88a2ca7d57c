import { memoryKey } from "../model/memory.ts";
import type { NoteIdentity, NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { Noted } from "./note-subjects.ts";
import { readText } from "./read-text.ts";

/** Where a memory's note is now. */
export type FoundNote =
  | { readonly kind: "there"; readonly text: string }
  /** Renamed or moved by a person. */
  | { readonly kind: "moved"; readonly path: string; readonly text: string }
  | { readonly kind: "gone" }
  /** Not where it was, and several notes say that they are it. */
  | { readonly kind: "several"; readonly paths: readonly string[] }
  /** Something is at its path that cannot be read as a note. */
  | { readonly kind: "unreadable"; readonly problem: string };

export interface FoundNotes {
  readonly notes: ReadonlyMap<string, FoundNote>;
  /** Copies beside a note, as sync clients make them where two machines wrote: by memory. */
  readonly copies: ReadonlyMap<string, readonly string[]>;
}

/**
 * Finds every note at its path, or else by the id in its properties. The whole vault is read only where a note is not at its path.
 */
export async function findNotes(input: {
  readonly memories: readonly Noted[];
  readonly vault: NoteVault;
  readonly format: VaultFormat;
  /** Every path of the vault. */
  readonly paths: ReadonlySet<string>;
}): Promise<FoundNotes> {
  const { memories, vault } = input;
  const notes = new Map<string, FoundNote>();
  const missing: Noted[] = [];
  for (const memory of memories) {
    const { text, problem } = await readText(vault, memory.vaultPath);
    if (problem !== undefined) notes.set(memoryKey(memory), { kind: "unreadable", problem });
    else if (text === undefined) missing.push(memory);
    else notes.set(memoryKey(memory), { kind: "there", text });
  }
  const known = new Set(memories.map((memory) => memory.vaultPath));
  const strangers = [...input.paths].filter((path) => /\.md$/i.test(path) && !known.has(path));
  const elsewhere =
    missing.length === 0 ? new Map<string, StrayNote[]>() : await readStrays(strangers, input);
  for (const memory of missing) {
    notes.set(memoryKey(memory), whereIs(memory, elsewhere, missing));
  }
  return { notes, copies: await findCopies(strangers.toSorted(), { ...input, notes }) };
}

interface StrayNote {
  readonly path: string;
  readonly text: string;
  readonly identity: NoteIdentity;
}

async function readStrays(
  paths: readonly string[],
  input: { readonly vault: NoteVault; readonly format: VaultFormat },
): Promise<ReadonlyMap<string, readonly StrayNote[]>> {
  const byId = new Map<string, StrayNote[]>();
  for (const path of paths) {
    const text = await readIfText(input.vault, path);
    const identity = text === undefined ? undefined : input.format.identify(text);
    if (text === undefined || identity === undefined) continue;
    const others = byId.get(identity.id) ?? [];
    others.push({ path, text, identity });
    byId.set(identity.id, others);
  }
  return byId;
}

/** A file that is no text, or that we may not read, is none of our notes. */
export async function readIfText(vault: NoteVault, path: string): Promise<string | undefined> {
  return (await readText(vault, path)).text;
}

function whereIs(
  memory: Noted,
  elsewhere: ReadonlyMap<string, readonly StrayNote[]>,
  missing: readonly Noted[],
): FoundNote {
  const found = elsewhere.get(memory.id) ?? [];
  const [note] = found;
  if (note === undefined) return { kind: "gone" };
  // A note does not say its namespace: an id that two of the missing share names neither.
  const isShared = missing.filter((other) => other.id === memory.id).length > 1;
  if (found.length > 1 || isShared) {
    return { kind: "several", paths: found.map(({ path }) => path) };
  }
  return { kind: "moved", path: note.path, text: note.text };
}

/** Files that begin with a note's name and carry its id: `Note 2.md`, `Note (conflict …).md`, `Note.sync-conflict-….md`. */
async function findCopies(
  strangers: readonly string[],
  input: {
    readonly memories: readonly Noted[];
    readonly vault: NoteVault;
    readonly format: VaultFormat;
    readonly notes: ReadonlyMap<string, FoundNote>;
  },
): Promise<ReadonlyMap<string, readonly string[]>> {
  const copies = new Map<string, readonly string[]>();
  for (const memory of input.memories) {
    if (input.notes.get(memoryKey(memory))?.kind !== "there") continue;
    const paths: string[] = [];
    for (const path of startingWith(strangers, memory.vaultPath.replace(/\.md$/i, ""))) {
      const text = await readIfText(input.vault, path);
      if (text !== undefined && input.format.identify(text)?.id === memory.id) paths.push(path);
    }
    if (paths.length > 0) copies.set(memoryKey(memory), paths);
  }
  return copies;
}

/** Of sorted paths those with a prefix, by halving: a vault may hold many thousands. */
function startingWith(sorted: readonly string[], prefix: string): readonly string[] {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? "") < prefix) low = middle + 1;
    else high = middle;
  }
  let end = low;
  while (sorted[end]?.startsWith(prefix)) end += 1;
  return sorted.slice(low, end);
}
