import { toIso } from "../../model/instant.ts";
import type { LogEvents, LogLine, NoteLink } from "../../ports/note-vault.ts";
import { quoteContent } from "./escape-content.ts";
import { ARCHIVED_WORDS, renderLink } from "./note-body.ts";

/** A heading for each instant, and a line for each thing that happened then: the link first, so that links are found as in any list. */
export function logLines(events: readonly LogEvents[]): readonly string[] {
  return events.flatMap(({ at, lines }, position) => [
    `${position === 0 ? "" : "\n"}## ${toIso(at).slice(0, 16).replace("T", " ")}\n`,
    ...lines.map((line) => `- ${lineOf(line)}`),
  ]);
}

function lineOf(line: LogLine): string {
  switch (line.kind) {
    case "promoted":
      return `${nameOf(line)}: promoted (${quoteContent(line.why)})`;
    case "merged":
      return `${nameOf(line)}: merged from ${line.count}`;
    case "retired":
      return `${nameOf(line)}: archived, ${ARCHIVED_WORDS[line.reason]}`;
    case "archived":
      return `${line.count} without a note: archived, ${ARCHIVED_WORDS[line.reason]}`;
  }
}

function nameOf({ note, title }: { readonly note?: NoteLink; readonly title: string }): string {
  return note === undefined ? quoteContent(title) : renderLink(note);
}
