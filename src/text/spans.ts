/** A piece of a text and where it stands: `text.slice(start, end)` of the whole is `text`. */
export interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Every match of a pattern with the `g` flag, as spans. */
export function matchSpans(text: string, pattern: RegExp): Span[] {
  return Array.from(text.matchAll(pattern), (match) => spanOf(match));
}

export function spanOf(match: RegExpMatchArray): Span {
  const start = match.index ?? 0;
  return { text: match[0], start, end: start + match[0].length };
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}
