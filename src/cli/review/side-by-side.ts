import { type Paint, printable } from "../paint.ts";
import { type DiffWord, diffWords } from "./diff-words.ts";
import { cutToWidth, padToWidth, widthOf } from "./text-width.ts";

export interface SideBySide {
  readonly left: string;
  readonly right: string;
  /** Columns of the whole. */
  readonly width: number;
}

/** Between the columns: `≠` beside a row in which a word differs, so that it shows without colour too. */
const SAME = " │ ";
const DIFFERENT = " ≠ ";

/** Two texts in two columns, each wrapped for itself, with the words that only one of them has in colour. */
export function sideBySide({ left, right, width }: SideBySide, paint: Paint): readonly string[] {
  const column = Math.max(8, Math.floor((width - SAME.length) / 2));
  const diff = diffWords(printable(left), printable(right));
  const [a, b] = [wrap(diff.left, column), wrap(diff.right, column)];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, at) => {
    const [one = [], other = []] = [a[at], b[at]];
    const differs = [...one, ...other].some(({ isShared }) => !isShared);
    const gap = " ".repeat(column - widthOf(plain(one)));
    const row = [
      painted(one, paint.red) + gap,
      differs ? paint.yellow(DIFFERENT) : paint.dim(SAME),
      painted(other, paint.green),
    ];
    return row.join("").trimEnd();
  });
}

/** Headings over the columns of `sideBySide`. */
export function columnHeads({ left, right, width }: SideBySide, paint: Paint): string {
  const column = Math.max(8, Math.floor((width - SAME.length) / 2));
  const [one = "", other = ""] = [left, right].map((text) => cutToWidth(text, column)[0]);
  return `${paint.bold(padToWidth(one, column))}${paint.dim(SAME)}${paint.bold(other)}`;
}

/** One text in one column. */
export function wrapText(text: string, width: number): readonly string[] {
  const words = (printable(text).match(/\n|[^\s]+/gu) ?? []).map((word) => ({
    text: word,
    isShared: true,
  }));
  return wrap(words, width).map(plain);
}

type Row = readonly DiffWord[];

function wrap(words: readonly DiffWord[], width: number): readonly Row[] {
  const rows: DiffWord[][] = [[]];
  let used = 0;
  const breakRow = (): void => {
    rows.push([]);
    used = 0;
  };
  for (const piece of words.flatMap((word) => piecesOf(word, width))) {
    if (piece.text === "\n") {
      breakRow();
      continue;
    }
    const needed = widthOf(piece.text);
    if (used > 0 && used + 1 + needed > width) breakRow();
    rows.at(-1)?.push(piece);
    used += needed + (used > 0 ? 1 : 0);
  }
  return rows;
}

function piecesOf({ text, isShared }: DiffWord, width: number): readonly DiffWord[] {
  return cutToWidth(text, width).map((piece) => ({ text: piece, isShared }));
}

function plain(row: Row): string {
  return row.map(({ text }) => text).join(" ");
}

function painted(row: Row, style: (text: string) => string): string {
  return row.map(({ text, isShared }) => (isShared ? text : style(text))).join(" ");
}
