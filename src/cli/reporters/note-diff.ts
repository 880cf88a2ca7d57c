import { structuredPatch } from "diff";
import type { Change } from "../../model/change.ts";
import { type Paint, printable } from "../paint.ts";

/** A note is a page; what is beyond is counted, and the plan's file has it all. */
const SHOWN_LINES = 24;
const CONTEXT_LINES = 2;
/** A note whose lines are all others is not worth minutes of looking for the shortest way from one to the other. */
const MOST_EDITS = 2000;

/** What the changes do to notes, each as a unified diff against the note as it stands. */
export function noteDiffs(changes: readonly Change[], paint: Paint): string[] {
  return changes.flatMap((change) => {
    if (change.kind === "note.move") {
      return [`move ${printable(change.from)} to ${paint.green(printable(change.to))}`];
    }
    return change.kind === "note.put" ? noteDiff(change, paint) : [];
  });
}

function noteDiff(
  { path, before, after }: Extract<Change, { kind: "note.put" }>,
  paint: Paint,
): string[] {
  const old = before === null ? "/dev/null" : `a/${path}`;
  const next = after === null ? "/dev/null" : `b/${path}`;
  const patch = structuredPatch(old, next, before?.text ?? "", after?.text ?? "", "", "", {
    context: CONTEXT_LINES,
    maxEditLength: MOST_EDITS,
  });
  const heads = [paint.bold(`--- ${printable(old)}`), paint.bold(`+++ ${printable(next)}`)];
  if (patch === undefined) return [...heads, paint.dim("(another text)")];
  const lines = patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines: body }) => [
    paint.cyan(`@@ -${rangeOf(oldStart, oldLines)} +${rangeOf(newStart, newLines)} @@`),
    ...body.map((line) => painted(printable(line), paint)),
  ]);
  const rest = lines.length - SHOWN_LINES;
  return [
    ...heads,
    ...lines.slice(0, SHOWN_LINES),
    ...(rest > 0
      ? [paint.dim(`… and ${rest} more lines; \`plan --out FILE\` keeps them all`)]
      : []),
  ];
}

/** Nothing stands before the first line, as `diff -u` counts. */
function rangeOf(start: number, lines: number): string {
  return `${lines === 0 ? start - 1 : start},${lines}`;
}

function painted(line: string, paint: Paint): string {
  if (line.startsWith("+")) return paint.green(line);
  return line.startsWith("-") ? paint.red(line) : line;
}
