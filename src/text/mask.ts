import type { Span } from "./spans.ts";

/** The text with the given spans blanked out, same length: what one extractor took, the next must not read again. */
export function maskSpans(text: string, spans: readonly Span[]): string {
  let masked = text;
  for (const { start, end } of spans) {
    masked = masked.slice(0, start) + " ".repeat(end - start) + masked.slice(end);
  }
  return masked;
}
