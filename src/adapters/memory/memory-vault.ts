import { SlowwaveError } from "../../model/errors.ts";
import { notePathSegments } from "../../model/note-path.ts";
import type { NoteVault, VaultState } from "../../ports/note-vault.ts";
import { foldCase } from "../../text/normalize.ts";

/** In-memory twin of a vault. `notes` (path → text) is used as it is, so a test can look at it, and edit it as a person would. */
export function createMemoryVault({
  notes = new Map<string, string>(),
  state,
}: {
  readonly notes?: Map<string, string>;
  /** Answered instead of "ready". */
  readonly state?: VaultState;
} = {}): NoteVault {
  return {
    state: async () => state ?? { kind: "ready", root: "memory:", empty: notes.size === 0 },
    paths: async () => allPaths(notes),
    read: async (path) => {
      refuseFileAsFolder(notes, path);
      return notes.get(path);
    },
    write: async (path, text) => {
      refuseFileAsFolder(notes, path);
      refuseTwins(allPaths(notes), path);
      if (allPaths(notes).includes(path) && !notes.has(path)) throw refuse(path, "it is a folder");
      notes.set(path, text);
    },
    move: async (from, to) => moveNote(notes, from, to),
    removeIfUnchanged: async (path, expected) => {
      refuseFileAsFolder(notes, path);
      const found = notes.get(path);
      if (found === undefined) return true;
      return found === expected && notes.delete(path);
    },
  };
}

function moveNote(notes: Map<string, string>, from: string, to: string): void {
  refuseFileAsFolder(notes, to);
  const text = notes.get(from);
  if (text === undefined) throw refuse(from, "no note is there");
  if (notes.has(to) && to !== from) throw refuse(to, "a note is there");
  refuseTwins(
    allPaths(notes).filter((path) => path !== from),
    to,
  );
  notes.delete(from);
  notes.set(to, text);
}

function refuseFileAsFolder(notes: ReadonlyMap<string, string>, path: string): void {
  for (const prefix of prefixesOf(path).slice(0, -1)) {
    if (notes.has(prefix)) throw refuse(path, `${prefix} is not a folder`);
  }
}

function refuseTwins(paths: readonly string[], path: string): void {
  for (const prefix of prefixesOf(path).filter((part) => !paths.includes(part))) {
    const twin = paths.find((other) => other !== prefix && foldCase(other) === foldCase(prefix));
    if (twin !== undefined) throw refuse(path, `${twin} is there and differs in case only`);
  }
}

function allPaths(notes: ReadonlyMap<string, string>): readonly string[] {
  return [...new Set([...notes.keys()].flatMap(prefixesOf))].sort();
}

/** `a/b/c.md` → `a`, `a/b`, `a/b/c.md`. */
function prefixesOf(path: string): readonly string[] {
  const segments = notePathSegments(path);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

function refuse(path: string, reason: string): SlowwaveError {
  return new SlowwaveError("vault", `vault: cannot use ${path}: ${reason}`);
}
