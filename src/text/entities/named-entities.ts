import { foldCase } from "../normalize.ts";
import { sentenceSpans } from "../sentences.ts";
import { matchSpans, type Span } from "../spans.ts";
import { isCommonOpener, isNeverEntity } from "./common-words.ts";
import { isCapitalisedTechnology, isKnownTechnology } from "./known-names.ts";

/** Names that capitals give away, and technologies written in lower case. */
export function findNamedEntities(text: string): readonly Span[] {
  const isForeign = !PLAIN_ASCII.test(text) && NOT_ENGLISH.test(text);
  return sentenceSpans(text).flatMap((sentence) => namesInSentence({ text, isForeign }, sentence));
}

interface Prose {
  readonly text: string;
  readonly isForeign: boolean;
}

interface Sentence extends Prose {
  /** Whether a word of it stands somewhere else than where a clause opens. */
  isSaidInside(word: string): boolean;
}

interface NameWord extends Span {
  readonly isFirst: boolean;
}

function namesInSentence(prose: Prose, { text, start }: Span): Span[] {
  const words = matchSpans(text, WORD);
  const isFirst = (word: Span) => word === words[0] || opensClause(text, word.start);
  // Made for the few sentences that ask, and once: a sentence may have thousands of words that open a clause.
  let inside: ReadonlySet<string> | undefined;
  const isSaidInside = (word: string) => {
    inside ??= new Set(words.filter((other) => !isFirst(other)).map((other) => other.text));
    return inside.has(word);
  };
  const sentence: Sentence = { text: prose.text, isForeign: prose.isForeign, isSaidInside };
  // Field by field: to spread the word takes a tenth of all that finding entities takes.
  const capitalised = words.filter(isCapitalised).map(
    (word): NameWord => ({
      text: word.text,
      start: start + word.start,
      end: start + word.end,
      isFirst: isFirst(word),
    }),
  );
  const names = groupRuns(prose.text, capitalised)
    .map((run) => trimRun(sentence, run))
    .filter((run) => run.length > 0);
  const technologies = words.filter(isTechnology).map((word) => moved(word, start));
  return [...names.map((run) => cover(prose.text, run)), ...technologies];
}

function moved({ text, start, end }: Span, by: number): Span {
  return { text, start: start + by, end: end + by };
}

function isTechnology({ text }: Span): boolean {
  return /^\p{Ll}/u.test(text) && isKnownTechnology(foldCase(text));
}

// A possessive belongs to no name; inner apostrophes ("O'Brien"), hyphens and dots ("Next.js") do.
const WORD =
  /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’](?!s\b)\p{L}[\p{L}\p{M}\p{N}]*|[-.](?=\p{L})[\p{L}\p{N}]+)*(?:\+\+|#)?/gu;

/** After a speaker's name, an opening quote, a bullet or a number of a list. Looks back from the word: a sentence may be a megabyte long. */
function opensClause(sentence: string, wordStart: number): boolean {
  let end = wordStart;
  if (isLetterAndSpace(sentence, end)) return false;
  while (end > 0 && /\s/u.test(sentence.charAt(end - 1))) end--;
  return /[:"“(*•]$|\d[.)]$/u.test(sentence.slice(Math.max(0, end - 2), end));
}

/** What stands before nearly every word. */
function isLetterAndSpace(sentence: string, end: number): boolean {
  // Lower case by setting its bit.
  const letter = sentence.charCodeAt(end - 2) | 0x20;
  return sentence.charCodeAt(end - 1) === 0x20 && letter >= 0x61 && letter <= 0x7a;
}

function groupRuns(text: string, words: readonly NameWord[]): NameWord[][] {
  const runs: NameWord[][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && isConnected(text, last, word)) run.push(word);
    else runs.push([word]);
  }
  return runs;
}

function isCapitalised({ text }: Span): boolean {
  return /^\p{Lu}|\p{Ll}\p{Lu}/u.test(text);
}

/** Whether a capitalised word goes on with the name before it: at once, after an initial, or over "of", "de", "&". */
function isConnected(text: string, last: NameWord, word: NameWord): boolean {
  if (isBreakingWord(last) || isBreakingWord(word)) return false;
  const gap = text.slice(last.end, word.start);
  if (/^(?:\s|\.\s?(?=$)|['’]s\s|\s[&+]\s)$/u.test(gap)) return true;
  if (gap === ". ") return /^(?:\p{Lu}|St|Mt|Jr|Sr)$/u.test(last.text);
  return PARTICLES.test(gap);
}

const PARTICLES =
  /^\s(?:of|of the|de|de la|del|della|di|da|do|dos|du|des|van|van der|van den|von|zu|bin|al|el|y)\s$/u;

/** Titles and days end a run: "Dr. Chen", "Monday Acme …". */
function isBreakingWord(word: Span): boolean {
  return isNeverEntity(foldCase(word.text).replace(/['’]s$/u, ""));
}

/** Takes away what is capitalised only because the sentence starts there. */
function trimRun(sentence: Sentence, run: readonly NameWord[]): readonly NameWord[] {
  const start = run.findIndex((_, index) => !isTrimmed(run, index));
  const first = run[start];
  if (first === undefined) return [];
  const name = run.slice(start);
  if (!first.isFirst) return isRomanOrLetter(name) ? [] : name;
  if (name.length > 1 || isNameByForm(first)) return name;
  return isNameByContext(sentence, first) ? name : [];
}

function isTrimmed(run: readonly NameWord[], index: number): boolean {
  const first = run[index];
  if (first === undefined) return true;
  const word = bareWord(first);
  if (isNeverEntity(word)) return true;
  const isLast = index === run.length - 1;
  return first.isFirst && !isNameByForm(first) && !isLast && isCommonOpener(word);
}

function isNameByForm(first: NameWord): boolean {
  return (
    isCapitalisedTechnology(bareWord(first)) || /\p{Ll}\p{Lu}|^\p{Lu}{2,}\p{N}*$/u.test(first.text)
  );
}

function bareWord({ text }: NameWord): string {
  return foldCase(text).replace(CONTRACTION, "");
}

const CONTRACTION = /['’](?:ve|re|ll|d|m|t)$/u;

function isRomanOrLetter(run: readonly NameWord[]): boolean {
  return run.length === 1 && (run[0]?.text.length ?? 0) === 1;
}

/** A lone first word is a name if it speaks, owns, is one of a list of names, does something, or is said again inside. */
function isNameByContext({ text, isForeign, isSaidInside }: Sentence, first: NameWord): boolean {
  const word = bareWord(first);
  const after = text.slice(first.end);
  if (isCommonOpener(word)) return false;
  if (/^:\s/u.test(after) || /^['’]s\b/u.test(after)) return true;
  if (/^(?:,| and| or| &)\s\p{Lu}/u.test(after)) return true;
  const isPlural = /[^s]s$/u.test(word) && /^\s(?:are|were|have|\p{Ll}+[^s]\s)/u.test(after);
  if (!isPlural && FINITE_VERB.test(after)) return true;
  return isForeign || isSaidInside(first.text);
}

const FINITE_VERB =
  /^\s(?:(?:also|never|always|still|often|just|\p{Ll}+ly)\s)?(?:is|was|has|had|does|did|will|would|can|could|must|should|went|bought|left|took|got|made|met|wrote|said|ran|\p{Ll}{2,}(?:[^s]s|ed))\b/u;
const PLAIN_ASCII = /^[\t-\r -~]*$/;
const NOT_ENGLISH = /[^\p{Script=Latin}\p{P}\p{N}\p{S}\s]|[ßäöüñçãõøåæœłşğıżźćńśąęéèêàôî]/iu;

function cover(text: string, run: readonly NameWord[]): Span {
  const start = run[0]?.start ?? 0;
  const end = run.at(-1)?.end ?? 0;
  return { text: text.slice(start, end), start, end };
}
