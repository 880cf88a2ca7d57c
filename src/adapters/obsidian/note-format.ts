import { hashOf } from "../../model/hash.ts";
import { type Memory, type MemoryKind, memoryKey } from "../../model/memory.ts";
import type { VaultFormat } from "../../ports/note-vault.ts";
import { foldCase } from "../../text/normalize.ts";
import { composeNote } from "./compose-note.ts";
import { linksIn } from "./note-links.ts";
import { noteFileName, suffixedName } from "./note-name.ts";
import { noteTitle } from "./note-title.ts";
import { readEdits } from "./read-edits.ts";
import { identifyNote } from "./read-note.ts";
import { composeTopic, topicIn, topicPathFor, topicsOf } from "./topic-note.ts";

/** Memories as notes of an Obsidian vault: `Memories/<Kind>/<title>.md`. */
export const noteFormat: VaultFormat = {
  titleOf: noteTitle,
  pathFor,
  placeFor,
  compose: composeNote,
  readEdits,
  topicsOf,
  topicPathFor,
  composeTopic,
  topicIn,
  linksIn,
  identify: identifyNote,
};

const FOLDER_OF: Readonly<Record<MemoryKind, string>> = {
  semantic: "Memories/Semantic",
  procedural: "Memories/Procedural",
  episodic: "Memories/Episodic",
};

/** A path once given never changes with the title: it is kept in the memory. `isTaken` is asked with `foldCase` of whole paths. */
function pathFor(memory: Memory, isTaken: (foldedPath: string) => boolean): string {
  const name = noteFileName(noteTitle(memory), memory.id);
  return freePath(memory, { folder: FOLDER_OF[memory.kind], name, isTaken });
}

const ARCHIVE_FOLDER = "Memories/Archive";

function placeFor(memory: Memory, taken: Iterable<string>): string {
  const folded = new Set([...taken].map(foldCase));
  const isTaken = (path: string): boolean => folded.has(path);
  if (memory.status !== "archived") return pathFor(memory, isTaken);
  const name = memory.vaultPath?.split("/").at(-1)?.replace(/\.md$/i, "");
  return freePath(memory, {
    folder: ARCHIVE_FOLDER,
    name: name ?? noteFileName(noteTitle(memory), memory.id),
    isTaken,
  });
}

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
