import { findFences, splitLines } from "./sentence-blocks.ts";
import { endsSentence } from "./sentence-ends.ts";
import { matchSpans, type Span } from "./spans.ts";

/**
 * The sentences of a text in order, trimmed, verbatim. Only white space between them is left out. A fenced code block
 * is one sentence, and so is a list item, heading or table row without inner full stops.
 */
export function splitSentences(text: string): readonly string[] {
  return sentenceSpans(text).map((span) => span.text);
}

/** `splitSentences` with places, for callers that need to rebuild the text with its own separators. */
export function sentenceSpans(text: string): readonly Span[] {
  const fences = findFences(text);
  const spans: Span[] = [];
  let from = 0;
  for (const fence of fences) {
    spans.push(...proseSentences(text, from, fence.start), trimSpan(text, fence.start, fence.end));
    from = fence.end;
  }
  spans.push(...proseSentences(text, from, text.length));
  return spans.filter((span) => span.text !== "");
}

function proseSentences(text: string, start: number, end: number): Span[] {
  const prose = text.slice(start, end);
  return splitLines(prose).flatMap((line) =>
    lineSentences(text, start + line.start, start + line.end),
  );
}

function lineSentences(text: string, start: number, end: number): Span[] {
  const line = text.slice(start, end);
  const closed = matchSpans(line, UNBROKEN);
  let next = 0;
  const spans: Span[] = [];
  let from = 0;
  for (const terminator of matchSpans(line, TERMINATOR)) {
    // Both are in order, so no range that ended before this mark can hold a later one.
    while (next < closed.length && (closed[next]?.end ?? 0) <= terminator.end) next++;
    const range = closed[next];
    const isInside = range !== undefined && range.start < terminator.start;
    if (isInside || !endsSentence({ line, from, terminator })) continue;
    spans.push(trimSpan(text, start + from, start + terminator.end));
    from = terminator.end;
  }
  spans.push(trimSpan(text, start + from, end));
  return spans;
}

function trimSpan(text: string, start: number, end: number): Span {
  const piece = text.slice(start, end);
  const lead = piece.length - piece.trimStart().length;
  const trimmed = piece.trim();
  return { text: trimmed, start: start + lead, end: start + lead + trimmed.length };
}

// A terminator with the quotes and brackets that close after it.
const TERMINATOR = /[.!?…]+["'”’»)\]]*|[。！？｡．]+[」』”’）】]*/gu;

// Code, URLs, quotations and brackets stay whole. The length limits keep one forgotten quote from swallowing a page.
const UNBROKEN =
  /`[^`\n]+`|https?:\/\/\S*[\w/]|"[^"\n]{1,300}"|“[^”\n]{1,300}”|«[^»\n]{1,300}»|「[^」\n]{1,300}」|『[^』\n]{1,300}』|\([^()\n]{1,200}\)|（[^（）\n]{1,200}）/gu;
