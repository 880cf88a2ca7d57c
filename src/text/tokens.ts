import { foldCase, plainPunctuation } from "./normalize.ts";
import { matchSpans, type Span } from "./spans.ts";

/** A word as written, and its comparison form. */
export interface Token extends Span {
  readonly fold: string;
}

/** The words of a text in order, folded. See `tokenize` for what counts as one word. */
export function wordTokens(text: string): readonly string[] {
  return tokenize(text).map((token) => token.fold);
}

/** The words that carry meaning: `wordTokens` without stop words. */
export function contentWords(text: string): readonly string[] {
  return wordTokens(text).filter((word) => !isStopWord(word));
}

/**
 * Words with their places. Versions, identifiers, clock times, e-mail addresses, `C++`, `node.js`, `don't` and
 * `left-handed` are one word each; a URL is one word; every ideograph, kana and Thai letter is a word of its own, since
 * those scripts put no spaces between words.
 */
export function tokenize(text: string): readonly Token[] {
  return matchSpans(plainPunctuation(text), WORD).map((span) => ({
    ...span,
    text: text.slice(span.start, span.end),
    fold: foldCase(span.text),
  }));
}

export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}

const UNSPACED =
  "[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}]";
const LETTER = `(?:(?!${UNSPACED})[\\p{L}\\p{N}_])[\\p{M}\\u200c\\u200d]*`;

const WORD = new RegExp(
  [
    "https?://[^\\s<>\"'`)\\]]*[\\p{L}\\p{N}/_-]",
    `${UNSPACED}\\p{M}*`,
    // A comma or colon joins digits only ("12,000", "9:40"); the rest joins any two letters or digits.
    `(?:${LETTER})+(?:(?:['.@&-]|(?<=\\p{N})[,:](?=\\p{N}))(?:${LETTER})+)*(?:\\+\\+|#(?!\\w))?`,
  ].join("|"),
  "gu",
);

// "not", "no", "before", "after" and the like are missing on purpose: they decide whether two statements agree.
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an the and as at by for from in into of on onto to with is are was were be been being am do does did done has have " +
    "had having will would shall should may might must can could this that these those it its it's their there they them his " +
    "her he she him i me my we us our you your user user's users who which what so also then than very just s"
  ).split(" "),
);
