import { lemma } from "../lemma.ts";
import { foldCase } from "../normalize.ts";
import { matchSpans, type Span } from "../spans.ts";
import { isStopWord, type Token, tokenize } from "../tokens.ts";
import { canonicalWord } from "./equivalents.ts";

/** A word of a statement with all that the rules ask about it. */
export interface Word extends Token {
  readonly lemma: string;
  /** The lemma's canonical word: the same for words that say the same. */
  readonly meaning: string;
  readonly isStop: boolean;
  /** Capitalised where English would not capitalise a common word. */
  readonly isName: boolean;
}

/** The words of one statement. Hyphenated words of letters alone come apart: "family-friendly" is "family friendly". */
export function readWords(text: string): readonly Word[] {
  const tokens = tokenize(text).flatMap(splitCompound);
  return tokens.map((token, index) => {
    const base = lemma(token.fold);
    const isStop = isStopWord(token.fold);
    return {
      ...token,
      lemma: base,
      meaning: canonicalWord(base),
      isStop,
      isName: !isStop && isNameLike(token, tokens, index, text),
    };
  });
}

function splitCompound(token: Token): Token[] {
  if (!/^\p{L}{2,}(?:-\p{L}{2,})+$/u.test(token.text)) return [token];
  return matchSpans(token.text, /\p{L}+/gu).map((part: Span) => ({
    text: part.text,
    start: token.start + part.start,
    end: token.start + part.end,
    fold: foldCase(part.text),
  }));
}

function isNameLike(token: Token, tokens: readonly Token[], index: number, text: string): boolean {
  if (!/\p{Lu}/u.test(token.text)) return false;
  if (/.\p{Lu}/u.test(token.text) || token.text.endsWith("'s")) return true;
  const next = tokens[index + 1]?.text ?? "";
  return !opensSentence(tokens, index, text) || /^\p{Lu}/u.test(next) || isBareSubject(token, next);
}

/** "Kim likes …", but not "Backups run …" or "Staging has …": a singular first word without an article is mostly a name. */
function isBareSubject(token: Token, next: string): boolean {
  return (
    /^\p{Lu}\p{Ll}+$/u.test(token.text) &&
    !/(?:s|ing)$/u.test(token.text) &&
    !COMMON_OPENERS.has(token.fold) &&
    FINITE_VERB.test(next)
  );
}

const FINITE_VERB =
  /^(?:is|was|has|had|does|did|will|would|can|could|must|should|\p{Ll}+(?:s|ed)|went|bought|left|took|got|made|met|wrote|said|ran)$/u;
const COMMON_OPENERS = new Set(
  "user everyone everybody nobody someone somebody it he she there this that which what who where how one each every all most some any no nothing everything production code data software traffic staff management work time money water food".split(
    " ",
  ),
);

function opensSentence(tokens: readonly Token[], index: number, text: string): boolean {
  const previous = tokens[index - 1];
  const current = tokens[index];
  if (previous === undefined || current === undefined) return true;
  return /[.!?:\n"“]/u.test(text.slice(previous.end, current.start));
}
