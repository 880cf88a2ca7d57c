import type { Span } from "./spans.ts";

/** The text with the given spans blanked out, same length: what one extractor took, the next must not read again. */
export function maskSpans(text: string, spans: readonly Pick<Span, "start" | "end">[]): string {
  if (spans.length === 0) return text;
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (end <= from) continue;
    pieces.push(text.slice(from, Math.max(from, start)), " ".repeat(end - Math.max(from, start)));
    from = end;
  }
  return pieces.join("") + text.slice(from);
}

/**
 * The text with words of absurd length blanked out: blobs of base64 and the like hold nothing to read, and patterns that
 * look ahead take quadratic time on them.
 */
export function maskBlobs(text: string): string {
  if (text.length < 300) return text;
  return text.replace(/\S{300,}/gu, (blob) => OBJECT.repeat(blob.length));
}

/** Unicode's "object replacement character". Not a space: patterns take quadratic time on long runs of spaces as well. */
const OBJECT = "\ufffc";
