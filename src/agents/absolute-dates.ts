import { resolveRelativeDates } from "../text/relative-dates.ts";

/**
 * The text with an absolute date in parentheses beside every relative phrase that names one day, read against the time the text was
 * written: "yesterday (2026-03-01)". Apart from its own time a phrase means another day, or nothing. Doing it twice adds nothing.
 * Phrases that people read in more than one way stay as they are, unless `ambiguousToo`: then their likeliest day is written.
 */
export function withAbsoluteDates(
  text: string,
  {
    writtenAt,
    ambiguousToo = false,
  }: { readonly writtenAt: number; readonly ambiguousToo?: boolean },
): string {
  let dated = "";
  let from = 0;
  for (const { end, absolute, isAmbiguous } of resolveRelativeDates(text, writtenAt)) {
    if ((isAmbiguous && !ambiguousToo) || DATED.test(text.slice(end))) continue;
    dated += `${text.slice(from, end)} (${absolute})`;
    from = end;
  }
  return dated + text.slice(from);
}

const DATED = /^ \(\d{4}-\d{2}-\d{2}\)/u;
