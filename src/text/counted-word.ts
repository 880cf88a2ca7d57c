import { lemma } from "./lemma.ts";

/** The word counted ("3 workers", "a pair of shoes"), or what the number labels ("port 8080", "an iPhone 14 Pro"). */
export function countedWord(text: string, start: number, end: number): string | undefined {
  const before = /(?<word>\p{L}[\p{L}'-]*)\s+(?:[#:=]\s*)?$/u.exec(text.slice(0, start));
  const label = before?.groups?.word ?? "";
  const isName = /\p{Lu}/u.test(label) && (before?.index ?? 0) > 0;
  const after =
    /^[\s-]+(?:of\s+)?(?<word>\p{L}[\p{L}'-]*)/u.exec(text.slice(end))?.groups?.word ?? "";
  const candidates = isName || LABELS.has(label.toLowerCase()) ? [label, after] : [after, label];
  const word = candidates
    .map((candidate) => candidate.toLowerCase())
    .find((candidate) => candidate !== "" && !NOT_COUNTED.has(candidate));
  return word === undefined ? undefined : lemma(word);
}

/** What takes its number behind it. */
const LABELS: ReadonlySet<string> = new Set(
  "port room gate line page step level track route flight chapter issue version channel apartment floor number building platform row seat terminal ticket".split(
    " ",
  ),
);

const NOT_COUNTED: ReadonlySet<string> = new Set(
  (
    "a an the and or between to in on at of for from by with is are was were be as per than that this its it if when until till not no " +
    "about around over under least most only up out has have had every each more less"
  ).split(" "),
);
