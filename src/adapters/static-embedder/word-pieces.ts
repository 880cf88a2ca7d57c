/**
 * Splits text into tokens: ids of a BERT uncased vocabulary, and for a word that the vocabulary cannot spell, or that is
 * written in other than Latin letters, a negative number that only this word has (`strangerOf`).
 */
export type WordPieces = (text: string) => readonly number[];

export interface WordPieceOptions {
  /** Tokens by id; continuation pieces start with `##`. */
  readonly vocabulary: readonly string[];
  /** Tokens after this many are dropped. */
  readonly maxTokens: number;
}

/** As in BERT: longer "words" are data, not language. */
const MAX_WORD_CODE_POINTS = 100;
/** Bounds the memory of a long-lived process; a word beyond it is split again each time. */
const MAX_CACHED_WORDS = 50_000;

/** BERT basic tokeniser, then greedy longest match (Wu et al. 2016, as published with BERT uncased). */
export function createWordPieces({ vocabulary, maxTokens }: WordPieceOptions): WordPieces {
  const ids = new Map(vocabulary.map((token, id) => [token, id]));
  const cache = new Map<string, readonly number[]>();

  const piecesOf = (word: string): readonly number[] => {
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const spelled = FOREIGN_LETTER.test(word) ? undefined : matchLongest(word, ids);
    const pieces = spelled ?? [strangerOf(word)];
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

/** The vocabulary has letters of other scripts, but the table was made from English: spelled with them, all words look alike. */
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;

/** FNV-1a, as a negative number: ids of the vocabulary are not. */
function strangerOf(word: string): number {
  let hash = 2166136261;
  for (let i = 0; i < word.length; i++) hash = Math.imul(hash ^ word.charCodeAt(i), 16777619);
  return -1 - (hash >>> 0);
}

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

function matchLongest(word: string, ids: ReadonlyMap<string, number>): number[] | undefined {
  const characters = Array.from(word);
  if (characters.length > MAX_WORD_CODE_POINTS) return undefined;
  const pieces: number[] = [];
  let start = 0;
  while (start < characters.length) {
    const match = longestPiece(characters, start, ids);
    if (match === undefined) return undefined;
    pieces.push(match.id);
    start = match.end;
  }
  return pieces;
}

function longestPiece(
  characters: readonly string[],
  start: number,
  ids: ReadonlyMap<string, number>,
): { readonly id: number; readonly end: number } | undefined {
  const prefix = start === 0 ? "" : "##";
  for (let end = characters.length; end > start; end--) {
    const id = ids.get(prefix + characters.slice(start, end).join(""));
    if (id !== undefined) return { id, end };
  }
  return undefined;
}
