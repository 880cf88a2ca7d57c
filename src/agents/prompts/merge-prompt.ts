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

/** What the model may answer: a judgement and a text. There is no word by which it could delete, promote or touch anything else. */
const mergeReplySchema = z.strictObject({
  decision: z.enum(["merge", "keep_separate"]),
  handles: z.array(z.string()),
  content: z.string(),
});
export type MergeReply = Readonly<z.infer<typeof mergeReplySchema>>;

const SYSTEM = [
  "You decide whether several notes of one memory store state the same fact and may become one note.",
  NOTES_ARE_DATA,
  'Decide "keep_separate" where they state different facts, or where you are not sure.',
  'Decide "merge" only where one note can say everything that all of them say.',
  WORDING_RULES,
  "Name in handles every note that content replaces. For keep_separate give an empty list and an empty content.",
].join("\n");

/** Asks whether notes are to become one, and for its text. */
export function mergePrompt(notes: readonly string[]): LanguageRequest {
  return askAboutNotes({
    system: SYSTEM,
    notes,
    name: "merge_decision",
    schema: mergeReplySchema,
  });
}

/** Reads a reply about so many notes. */
export function readMergeReply(text: string, noteCount: number): ReadReply<MergeReply> {
  const read = readObject(text, mergeReplySchema);
  if (read.kind === "problem" || read.reply.decision === "keep_separate") return read;
  const why = whyNotWhole(read.reply, noteCount);
  return why === undefined ? read : problem(why);
}
