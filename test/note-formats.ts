import { createNoteFormat } from "../src/adapters/obsidian/note-format.ts";

/** The layout that a configuration without a word on notes gives. */
export const noteFormat = createNoteFormat();

/** The same, without a log: for tests that count what a run writes. */
export const quietFormat = createNoteFormat({ log: false });
