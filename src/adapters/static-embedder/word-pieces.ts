import type { Vocabulary } from "./vocabulary.ts";

/** Splits text into token ids of a BERT uncased vocabulary; a word that no pieces spell becomes the unknown token. */
export type WordPieces = (text: string) => readonly number[];

export interface WordPieceOptions {
  /** Continuation pieces start with `##`. Must hold `[UNK]`. */
  readonly vocabulary: Vocabulary;
  /** Tokens after this many are dropped. */
  readonly maxTokens: number;
}

/** As in BERT: longer "words" are data, not language. */
const MAX_WORD_CODE_POINTS = 100;
/** Bounds the memory of a long-lived process; a word beyond it is split again each time. */
const MAX_CACHED_WORDS = 50_000;

/** BERT basic tokeniser, then greedy longest match (Wu et al. 2016, as published with BERT uncased). */
export function createWordPieces({ vocabulary, maxTokens }: WordPieceOptions): WordPieces {
  const unknown = [vocabulary.idOf("[UNK]") ?? 0];
  const cache = new Map<string, readonly number[]>();

  const piecesOf = (word: string): readonly number[] => {
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const pieces = matchLongest(word, vocabulary) ?? unknown;
    if (cache.size < MAX_CACHED_WORDS) cache.set(word, pieces);
    return pieces;
  };

  return (text) => {
    const tokens: number[] = [];
    for (const word of splitWords(text)) {
      for (const id of piecesOf(word)) tokens.push(id);
      if (tokens.length >= maxTokens) return tokens.slice(0, maxTokens);
    }
    return tokens;
  };
}

/** ASCII without the control characters that BERT deletes: most text, and several times faster to split. */
const PLAIN_ASCII = /^[\t-\r -~]*$/;
const ASCII_WORDS = /[a-z0-9]+|[!-/:-@[-`{-~]/g;
/** ASCII symbols count as punctuation in BERT; other symbols (a euro sign) stay in their word. */
const OWN_WORD = /([!-/:-@[-`{-~]|\p{P}|[\u4e00-\u9fff])/gu;

function splitWords(text: string): readonly string[] {
  const lower = text.toLowerCase();
  if (PLAIN_ASCII.test(lower)) return lower.match(ASCII_WORDS) ?? [];
  return (
    lower
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the reference tokeniser takes these for white space.
      .replace(/[\s\x1c-\x1f\x85]/gu, " ")
      .replace(/\p{C}/gu, "")
      .replace(OWN_WORD, " $1 ")
      .split(" ")
      .filter((word) => word !== "")
  );
}

function matchLongest(word: string, vocabulary: Vocabulary): number[] | undefined {
  const characters = Array.from(word);
  if (characters.length > MAX_WORD_CODE_POINTS) return undefined;
  const pieces: number[] = [];
  let start = 0;
  while (start < characters.length) {
    const match = longestPiece(characters, start, vocabulary);
    if (match === undefined) return undefined;
    pieces.push(match.id);
    start = match.end;
  }
  return pieces;
}

function longestPiece(
  characters: readonly string[],
  start: number,
  vocabulary: Vocabulary,
): { readonly id: number; readonly end: number } | undefined {
  const prefix = start === 0 ? "" : "##";
  for (let end = characters.length; end > start; end--) {
    const id = vocabulary.idOf(prefix + characters.slice(start, end).join(""));
    if (id !== undefined) return { id, end };
  }
  return undefined;
}
