import { isIndex, readNote, readOwn } from "./read-note.ts";

/**
 * The links under "Related", where each line is one, or those of an index; a memory's own text may speak of pages that nobody has written
 * yet.
 */
export function linksIn(text: string): readonly string[] {
  const note = readNote(text);
  if (typeof note === "string") return [];
  const reading = readOwn(note);
  const body = reading.kind === "own" ? reading.note.body : undefined;
  const list = isIndex(note) ? body?.content : body?.tail;
  return (list ?? "").split("\n").flatMap((line) => linkOf(line) ?? []);
}

function linkOf(line: string): string | undefined {
  const [, wiki, url] = /^- (?:\[\[([^\]|#]+)[^\]]*\]\]|\[[^\]]*\]\(<([^>]*)>\))/.exec(line) ?? [];
  return wiki ?? (url === undefined ? undefined : decodeURIComponent(url));
}
