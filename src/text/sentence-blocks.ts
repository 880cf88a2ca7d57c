import { matchSpans, type Span } from "./spans.ts";

/** Fenced code blocks, fences included. An unclosed fence runs to the end, as in CommonMark. */
export function findFences(text: string): readonly Span[] {
  return FENCE_SIGN.test(text) ? matchSpans(text, FENCE) : [];
}

/**
 * The units that line breaks make: paragraphs, list items, headings, table rows, `key: value` lines. A hard-wrapped
 * paragraph, whose next line goes on in lower case, stays one unit.
 */
export function splitLines(prose: string): readonly Span[] {
  const units: Span[] = [];
  for (const line of matchSpans(prose, /[^\n\r]+/gu)) {
    const previous = units.at(-1);
    if (previous !== undefined && isContinuation(prose, previous, line)) {
      units[units.length - 1] = joinSpans(prose, previous, line);
    } else {
      units.push(line);
    }
  }
  return units;
}

const FENCE_SIGN = /```|~~~/;
const FENCE =
  /^[ \t]*(```|~~~)[^\n]*(?:\n[\s\S]*?(?:^[ \t]*\1[`~]*[ \t]*$|(?![\s\S]))|(?![\s\S]))/gmu;
const STARTS_IN_LOWER_CASE = /^\s*\p{Ll}/u;
const KEY_VALUE = /^\s*[\p{L}\p{N}_ .-]{1,30}:(?:\s|$)/u;
const HEADING = /^\s{0,3}#{1,6}\s/u;

function isContinuation(prose: string, previous: Span, line: Span): boolean {
  const gap = prose.slice(previous.end, line.start);
  const isNextLine = gap === "\n" || gap === "\r\n" || gap === "\r";
  return (
    isNextLine &&
    STARTS_IN_LOWER_CASE.test(line.text) &&
    !KEY_VALUE.test(line.text) &&
    !HEADING.test(previous.text)
  );
}

function joinSpans(text: string, first: Span, last: Span): Span {
  return { text: text.slice(first.start, last.end), start: first.start, end: last.end };
}
