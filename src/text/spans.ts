/** A piece of a text and where it stands: `text.slice(start, end)` of the whole is `text`. */
export interface Span {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Every match of a pattern with the `g` flag, as spans. */
export function matchSpans(text: string, pattern: RegExp): Span[] {
  return readMatches(text, pattern, spanOf);
}

/** What `read` makes of every match of a pattern with the `g` flag. */
export function readMatches<T>(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray) => T,
): T[] {
  const found: T[] = [];
  // Not `matchAll`, which copies the pattern each time: most texts have no match, and then the copy is what takes the time.
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push(read(match));
    if (match[0] === "") pattern.lastIndex += lengthAt(text, match.index);
  }
  return found;
}

/** Past an empty match by a whole character, so that none is met in its middle. */
function lengthAt(text: string, index: number): number {
  return (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
}

export function spanOf(match: RegExpMatchArray): Span {
  const start = match.index ?? 0;
  return { text: match[0], start, end: start + match[0].length };
}

export function overlaps(a: Span, b: Span): boolean {
  return a.start < b.end && b.start < a.end;
}

/** The candidates, in their order, that overlap none of the spans taken. Takes no time per pair: a long text may have thousands of either. */
export function withoutOverlapping<S extends Span>(
  candidates: readonly S[],
  taken: readonly Span[],
): S[] {
  if (taken.length === 0) return [...candidates];
  const inOrder = [...taken].sort((a, b) => a.start - b.start);
  let furthest = 0;
  const ends = inOrder.map(({ end }) => {
    furthest = Math.max(furthest, end);
    return furthest;
  });
  return candidates.filter(({ start, end }) => {
    const before = countStartingBefore(inOrder, end);
    return before === 0 || (ends[before - 1] ?? 0) <= start;
  });
}

function countStartingBefore(inOrder: readonly Span[], position: number): number {
  let [low, high] = [0, inOrder.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((inOrder[middle]?.start ?? position) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
