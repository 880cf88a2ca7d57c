import { type NoteParts, withEol } from "./note-parts.ts";

// Obsidian comments: invisible in the reading view.
const BEGIN = "%% slowwave:begin %%";
const END = "%% slowwave:end %%";
const MARK_LINE = /^%% slowwave:(begin|end) %%[ \t]*(?=\r?$)/gm;

/** The part of a note's body that is ours: `text` stands between the two mark lines, in `\n`. */
export type RegionReading =
  | { readonly kind: "none" }
  | {
      readonly kind: "one";
      readonly before: string;
      readonly text: string;
      readonly after: string;
    }
  | { readonly kind: "broken"; readonly reason: string };

export function readRegion(body: string): RegionReading {
  const marks = [...body.matchAll(MARK_LINE)];
  if (marks.length === 0) return { kind: "none" };
  const [begin, end] = marks;
  if (marks.length !== 2 || begin?.[1] !== "begin" || end?.[1] !== "end") {
    return { kind: "broken", reason: `expected one ${BEGIN} and one ${END} after it` };
  }
  const start = begin.index + begin[0].length;
  return {
    kind: "one",
    before: body.slice(0, begin.index),
    text: body.slice(start, end.index).replaceAll("\r\n", "\n").replace(/^\n/, ""),
    after: body.slice(end.index + end[0].length),
  };
}

/** The body with our region replaced, or added at its end where there was none. */
export function writeRegion(body: string, text: string, eol: NoteParts["eol"]): string {
  const region = withEol(`${BEGIN}\n${text}${END}`, eol);
  const found = readRegion(body);
  if (found.kind === "one") return found.before + region + found.after;
  const gap =
    body === "" || body.endsWith(`${eol}${eol}`) ? "" : body.endsWith("\n") ? eol : eol + eol;
  return body + gap + region + eol;
}

/** Makes lines of a text that would read as one of our marks harmless: `%\% slowwave:end %%`, which Markdown shows the same. */
export function escapeMarks(text: string): string {
  return text.replace(MARK_LINE, (line) => line.replace("%%", "%\\%"));
}
