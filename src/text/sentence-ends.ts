import type { Span } from "./spans.ts";

interface Candidate {
  readonly line: string;
  /** Where the sentence that may end here began. */
  readonly from: number;
  readonly terminator: Span;
}

/** Whether the full stop, question or exclamation mark at `terminator` ends a sentence. */
export function endsSentence({ line, from, terminator }: Candidate): boolean {
  const rest = line.slice(terminator.end);
  const next = rest.trimStart();
  if (next === "") return true;
  if (/^[。！？｡．]/u.test(terminator.text)) return true;
  // "3.5", "node.js", "v1.2.3": inside a word, no sentence ends.
  if (next === rest) return false;
  const before = line.slice(Math.max(from, terminator.start - LOOKBACK), terminator.start);
  if (/^(?:\.{2,}|…)/u.test(terminator.text)) return !/^\p{Ll}/u.test(next);
  if (isQuotedAside(terminator.text, next)) return false;
  if (!terminator.text.startsWith(".")) return true;
  return !isListMarker(before) && !isAbbreviation(before, next) && !isInitial(before, next);
}

/** No marker or abbreviation is longer. Without a limit, ten thousand abbreviations in one sentence take minutes. */
const LOOKBACK = 120;

/** `"Really?" she asked`: the sentence goes on in lower case after a quotation or an aside. */
function isQuotedAside(terminator: string, next: string): boolean {
  return /["”’»)\]]/u.test(terminator) && /^\p{Ll}/u.test(next);
}

function isListMarker(before: string): boolean {
  return /^\s*(?:[-*+>]\s+)?(?:\d{1,3}|[a-zA-Z]|[ivx]{1,4})$/u.test(before);
}

function isAbbreviation(before: string, next: string): boolean {
  const word = /[\p{L}.]+$/u.exec(before)?.[0].toLowerCase() ?? "";
  if (NEVER_FINAL.has(word)) return true;
  if (BEFORE_NUMBER.has(word)) return /^\d/u.test(next);
  if (SOMETIMES_FINAL.has(word) || /^(?:\p{L}\.)+\p{L}$/u.test(word))
    return !STARTS_A_SENTENCE.test(next);
  return false;
}

/** "J. Smith", "George W. Bush", but not "takes vitamin D. User …". */
function isInitial(before: string, next: string): boolean {
  const isLoneCapital = /(?:^|[\s.("'])\p{Lu}$/u.test(before);
  if (!isLoneCapital || !/^\p{Lu}/u.test(next)) return false;
  return (
    /(?:^\s*|\p{Lu}[\p{L}.]*\s+|\p{Lu}\.)\p{Lu}$/u.test(before) && !STARTS_A_SENTENCE.test(next)
  );
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

const NEVER_FINAL = words(
  "dr mr mrs ms mx prof rev gen col capt lt sgt gov sen rep hon st mt ft vs e.g eg i.e ie cf viz approx ca resp incl excl dept est ext al z.b bzw ggf",
);
const BEFORE_NUMBER = words(
  "no nr fig figs eq sec ch vol pp p art jan feb mar apr jun jul aug sep sept oct nov dec nos max min ver v",
);
const SOMETIMES_FINAL = words(
  "etc inc ltd corp co llc bros jr sr a.m p.m u.s u.k u.n ph.d b.sc m.sc b.a m.a d.c",
);

// After "etc." or "5 p.m." only a capitalised word that usually opens a sentence says that one ended.
const STARTS_A_SENTENCE =
  /^["'“(]?(?:The|A|An|He|She|It|We|They|I|You|User|This|That|These|Those|There|In|On|At|If|When|After|Before|But|And|So|Then|Also|However|His|Her|Its|Our|Their|My|For|To|No|Not|All|Use|Do|Please|Next|Later|Today|Yesterday|Tomorrow)\b/u;
