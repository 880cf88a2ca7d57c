import type { Instant } from "../model/instant.ts";
import type { ArchiveReason, Memory, MemoryChanges } from "../model/memory.ts";

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
  /** Memories that say the same again and so have no note of their own, oldest first. */
  readonly restatements?: readonly {
    readonly content: string;
    readonly createdAt: number;
    readonly source?: string;
  }[];
  /** Of an archived memory: the note of the one that took its place. */
  readonly successor?: NoteLink;
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

/** What a person changed in the part of a note that is ours, since we wrote it last. */
export type NoteEdits =
  | { readonly kind: "none" }
  | ({ readonly kind: "edits" } & EditedFields)
  /** The memory changed too, in the same place; `diff` shows all three versions. */
  | ({ readonly kind: "conflict"; readonly diff: string } & EditedFields)
  /** It cannot be read, or nothing of it has a place in a memory. */
  | { readonly kind: "blocked"; readonly reason: string };

export interface EditedFields {
  /** What the memory gets where the note's version counts. */
  readonly changes: MemoryChanges;
  /** `forget: true` stands in its properties. */
  readonly forget: boolean;
  /** In words: `text`, `title`, `tags`, … */
  readonly what: readonly string[];
}

/** A tag of a namespace; its note lists the notes that have it. */
export interface Topic {
  readonly kind: "topic";
  readonly namespace: string;
  /** As the notes have it, in lower case. */
  readonly tag: string;
}

/** A month of a namespace (`2026-03`, in UTC); its note lists what became of memories in it. */
export interface LogMonth {
  readonly kind: "log";
  readonly namespace: string;
  readonly month: string;
}

/** A note that is no memory's: it leads to those that are. */
export type IndexSubject = Topic | LogMonth;

/** What became of memories at one instant, which is that of a run or of a person's command. */
export interface LogEvents {
  readonly at: Instant;
  readonly lines: readonly LogLine[];
}

export type LogLine =
  | {
      readonly kind: "promoted";
      readonly title: string;
      readonly note?: NoteLink;
      readonly why: string;
    }
  /** `note`: absent where what they became has none. */
  | {
      readonly kind: "merged";
      readonly count: number;
      readonly title: string;
      readonly note?: NoteLink;
    }
  /** `note`: absent where a person threw it away. */
  | {
      readonly kind: "retired";
      readonly title: string;
      readonly note?: NoteLink;
      readonly reason: ArchiveReason;
    }
  /** Archived memories that never had a note. */
  | { readonly kind: "archived"; readonly count: number; readonly reason: ArchiveReason };

/** What a note of an index is to say, the newest first. It has a budget; what is over it is only counted. */
export type IndexContent =
  | (Topic & { readonly entries: readonly NoteLink[] })
  | (LogMonth & { readonly events: readonly LogEvents[] });

/** Whose note a text is. `retired`: it says that its memory is archived. */
export interface NoteIdentity {
  readonly id: string;
  readonly retired: boolean;
}

/** How a memory becomes a note: pure. */
export interface NoteFormat {
  /** The true title of a memory's note: one line, at most 80 characters. */
  titleOf(memory: Memory): string;
  /** A path for its note, safe on every system; `isTaken` is asked with case-folded paths. */
  pathFor(memory: Memory, isTaken: (foldedPath: string) => boolean): string;
  /**
   * The note's whole text; `existing` is what stands at the path now, whose foreign parts are kept byte for byte. `edits` is "taken" where
   * what a person changed in our part is in the memory already, so that it may be written over. @default "kept"
   */
  compose(
    subject: NoteSubject,
    existing: string | undefined,
    edits?: "kept" | "taken",
  ): ComposedNote;
}

/** The whole life of a note: how it is written, read back, and archived. Pure too. */
export interface VaultFormat extends NoteFormat {
  /**
   * Where the note of a memory belongs by its status, under the name that it has: in its folder, or in the archive. `taken` are paths as
   * they are on disk.
   */
  placeFor(memory: Memory, taken: Iterable<string>): string;
  /** The folder for a living memory's note. */
  folderFor(memory: Memory): string;
  /** True in the folder of archived notes. */
  isArchivePath(path: string): boolean;
  /**
   * What a person changed in our part of a note. `subject` is the memory as it is now, before any other change; `written` gives the text
   * that we wrote last, if it is still known, and is asked only where both sides may have changed.
   */
  readEdits(input: {
    readonly subject: NoteSubject;
    readonly existing: string;
    readonly written: () => Promise<string | undefined>;
  }): Promise<NoteEdits>;
  /** The topics of a memory: its tags, each in the one form that notes have. */
  topicsOf(memory: Memory): readonly Topic[];
  /** `undefined` where such notes are not wanted. */
  indexPathFor(subject: IndexSubject): string | undefined;
  /** True where such notes are, or were once. */
  isIndexPath(path: string): boolean;
  composeIndex(content: IndexContent, existing: string | undefined): ComposedNote;
  /** What a text is the index of, if it is one. */
  indexIn(text: string): IndexSubject | undefined;
  /** Where the links lead that we wrote into a note: paths or names, as they stand there. */
  linksIn(text: string): readonly string[];
  /** `undefined` for a text that is no note of ours. */
  identify(text: string): NoteIdentity | undefined;
}
