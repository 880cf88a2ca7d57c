import { hashOf } from "../../model/hash.ts";
import { type Memory, type MemoryKind, memoryKey } from "../../model/memory.ts";
import type { NoteFormat } from "../../ports/note-vault.ts";
import { foldCase } from "../../text/normalize.ts";
import { composeNote } from "./compose-note.ts";
import { noteFileName, suffixedName } from "./note-name.ts";
import { noteTitle } from "./note-title.ts";

/** Memories as notes of an Obsidian vault: `Memories/<Kind>/<title>.md`. */
export const noteFormat: NoteFormat = {
  titleOf: noteTitle,
  pathFor,
  compose: composeNote,
};

const FOLDER_OF: Readonly<Record<MemoryKind, string>> = {
  semantic: "Memories/Semantic",
  procedural: "Memories/Procedural",
  episodic: "Memories/Episodic",
};

/** A path once given never changes with the title: it is kept in the memory. `isTaken` is asked with `foldCase` of whole paths. */
function pathFor(memory: Memory, isTaken: (foldedPath: string) => boolean): string {
  const folder = FOLDER_OF[memory.kind];
  const name = noteFileName(noteTitle(memory), memory.id);
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
