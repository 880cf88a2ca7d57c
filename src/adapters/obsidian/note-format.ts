import { hashOf } from "../../model/hash.ts";
import { type Memory, memoryKey } from "../../model/memory.ts";
import { DEFAULT_NOTE_FOLDER, OWN_FOLDERS } from "../../model/note-folder.ts";
import type { VaultFormat } from "../../ports/note-vault.ts";
import { foldCase } from "../../text/normalize.ts";
import { composeNote } from "./compose-note.ts";
import { composeIndex, indexIn, indexPathFor, isIndexPath } from "./index-note.ts";
import { folderFor } from "./note-folder.ts";
import { linksIn } from "./note-links.ts";
import { noteFileName, suffixedName } from "./note-name.ts";
import { noteTitle } from "./note-title.ts";
import { readEdits } from "./read-edits.ts";
import { identifyNote } from "./read-note.ts";
import { topicsOf } from "./topics.ts";

export interface NoteFormatOptions {
  /** Where notes go, with tokens such as `{kind}`; see `folderTemplateProblem`. @default "Memories/{kind}" */
  readonly folder?: string;
  /** A note for each month that tells what became of memories. @default true */
  readonly log?: boolean;
}

/** Memories as notes of an Obsidian vault. */
export function createNoteFormat(options: NoteFormatOptions = {}): VaultFormat {
  const { folder: template = DEFAULT_NOTE_FOLDER, log = true } = options;
  const folderOf = (memory: Memory): string => folderFor(memory, template);
  const pathFor: VaultFormat["pathFor"] = (memory, isTaken) =>
    freePath(memory, {
      folder: folderOf(memory),
      name: noteFileName(noteTitle(memory), memory.id),
      isTaken,
    });
  return {
    titleOf: noteTitle,
    pathFor,
    placeFor: (memory, taken) => {
      const folded = new Set([...taken].map(foldCase));
      const isTaken = (path: string): boolean => folded.has(path);
      const folder = memory.status === "archived" ? OWN_FOLDERS.archive : folderOf(memory);
      return freePath(memory, { folder, name: nameOf(memory), isTaken });
    },
    folderFor: folderOf,
    isArchivePath: (path) => path.startsWith(`${OWN_FOLDERS.archive}/`),
    compose: composeNote,
    readEdits,
    topicsOf,
    indexPathFor: (subject) => (subject.kind === "log" && !log ? undefined : indexPathFor(subject)),
    isIndexPath,
    composeIndex,
    indexIn,
    linksIn,
    identify: identifyNote,
  };
}

/** The name that its note has, else the one that its title gives. */
function nameOf(memory: Memory): string {
  const name = memory.vaultPath?.split("/").at(-1)?.replace(/\.md$/i, "");
  return name ?? noteFileName(noteTitle(memory), memory.id);
}

/** A path once given never changes with the title: it is kept in the memory. `isTaken` is asked with `foldCase` of whole paths. */
function freePath(
  memory: Memory,
  wish: {
    readonly folder: string;
    readonly name: string;
    readonly isTaken: (foldedPath: string) => boolean;
  },
): string {
  const { folder, name, isTaken } = wish;
  const hash = hashOf(memoryKey(memory));
  // Twice the same title is common, twice the same 32 bits of hash is not; longer ones end any dispute.
  const names = [
    name,
    ...[8, 16, 32, 64].map((length) => suffixedName(name, hash.slice(0, length))),
  ];
  const paths = names.map((candidate) => `${folder}/${candidate}.md`);
  const free = paths.find((path) => !isTaken(foldCase(path)));
  if (free === undefined) throw new Error(`no free path for the note of ${memory.id}`);
  return free;
}
