import { SlowwaveError } from "../model/errors.ts";

/**
 * A memory's text as it is stored: trimmed, never empty, and nothing that a note, a table or a terminal would change on the way.
 * @throws SlowwaveError `input`
 */
export function checkContent(text: string): string {
  const content = text.trim();
  if (content === "") throw refused("expected some text, got only white space or nothing");
  const nul = content.indexOf("\0");
  if (nul >= 0) throw refused(`expected text, found a NUL character at position ${nul + 1}`);
  if (/\p{Surrogate}/u.test(content)) {
    throw refused("expected whole Unicode characters, found half of a surrogate pair");
  }
  return content;
}

function refused(problem: string): SlowwaveError {
  return new SlowwaveError("input", `content: ${problem}`);
}

/** Trimmed, each once, in the order given. */
export function cleanTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ""))];
}
