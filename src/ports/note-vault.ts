import type { Memory } from "../model/memory.ts";

/**
 * `absent`: no vault configured or no folder there; `unusable`: there, but not to be written (read-only, not a folder, …). `empty`: the
 * folder holds nothing at all, as the mount point of a drive that is not mounted does; where notes were written before, a caller must
 * then treat the vault as absent, not the notes as deleted.
 */
export type VaultState =
  | { readonly kind: "ready"; readonly root: string; readonly empty: boolean }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "unusable"; readonly reason: string };

/**
 * A folder of Markdown notes that people also edit. Paths are relative to the vault, with `/`. A path that leaves the vault (also
 * through a symlink) is refused. Failures are `SlowwaveError("vault")` naming path and cause.
 */
export interface NoteVault {
  state(): Promise<VaultState>;
  /** Every file and folder path of the vault, hidden folders left out, sorted. */
  paths(): Promise<readonly string[]>;
  /** `undefined` only where the note does not exist; a note that cannot be read throws. */
  read(path: string): Promise<string | undefined>;
  /**
   * Atomic and durable (temporary file, fsync, rename, fsync folder), read back and compared before it returns. Makes the folders it
   * needs, never the vault itself. Refuses a path that differs from an existing file or folder in case only.
   */
  write(path: string, text: string): Promise<void>;
  /** Refuses to overwrite an existing note. */
  move(from: string, to: string): Promise<void>;
  /**
   * Removes a note whose text is exactly `expected`; any other text is a person's and stays: returns false. A note that is gone already
   * counts as removed. Folders that this empties go too.
   */
  removeIfUnchanged(path: string, expected: string): Promise<boolean>;
}

/** A promoted memory that a note links to. */
export interface NoteLink {
  readonly path: string;
  readonly title: string;
  readonly relationType: string;
}

export interface NoteSubject {
  readonly memory: Memory;
  /** Which criteria it met and at which score, as kept with the memory since its promotion. */
  readonly why: string;
  readonly score: number;
  readonly links: readonly NoteLink[];
  /** The memories it was merged from (itself, if it is no merge). */
  readonly sources: readonly {
    readonly id: string;
    readonly content: string;
    readonly createdAt: number;
    readonly source?: string;
  }[];
}

export type ComposedNote =
  | { readonly kind: "text"; readonly text: string }
  /** A person edited the part that is ours: it is left alone, and `reason` says what was found. */
  | { readonly kind: "edited"; readonly reason: string };

/** How a memory becomes a note: pure. */
export interface NoteFormat {
  /** The true title of a memory's note: one line, at most 80 characters. */
  titleOf(memory: Memory): string;
  /** A path for its note, safe on every system; `isTaken` is asked with case-folded paths. */
  pathFor(memory: Memory, isTaken: (foldedPath: string) => boolean): string;
  /** The note's whole text; `existing` is what stands at the path now, whose foreign parts are kept byte for byte. */
  compose(subject: NoteSubject, existing: string | undefined): ComposedNote;
}
