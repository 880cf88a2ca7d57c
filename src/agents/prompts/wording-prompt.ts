import { z } from "zod";
import type { LanguageRequest } from "../../ports/language-model.ts";
import {
  askAboutNotes,
  NOTES_ARE_DATA,
  problem,
  type ReadReply,
  readObject,
  WORDING_RULES,
  whyNotWhole,
} from "./fenced-notes.ts";

const wordingReplySchema = z.strictObject({ handles: z.array(z.string()), content: z.string() });
export type WordingReply = Readonly<z.infer<typeof wordingReplySchema>>;

const SYSTEM = [
  "Several notes of one memory store become one note. You write its text, as fluently as the rules allow.",
  NOTES_ARE_DATA,
  WORDING_RULES,
  "Name in handles every note that content replaces: all of them.",
].join("\n");

/** Asks for the text of a merge that is decided already. */
export function wordingPrompt(notes: readonly string[]): LanguageRequest {
  return askAboutNotes({ system: SYSTEM, notes, name: "merged_note", schema: wordingReplySchema });
}

export function readWordingReply(text: string, noteCount: number): ReadReply<WordingReply> {
  const read = readObject(text, wordingReplySchema);
  if (read.kind === "problem") return read;
  const why = whyNotWhole(read.reply, noteCount);
  return why === undefined ? read : problem(why);
}
