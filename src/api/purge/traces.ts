import { foldCase, normalizeText } from "../../text/normalize.ts";
import { splitSentences } from "../../text/sentences.ts";

/** Finds what is left of texts that are to be gone. */
export interface Traces {
  /** True where a longer piece of one of them stands in a text, whatever its case, spacing and punctuation: titles and file names cut them short. */
  isIn(text: string): boolean;
  /** True where this name, such as a note's, was taken from one of them. */
  isNamedIn(name: string): boolean;
  /** True where one of their sentences is a sentence of this text. */
  isSaidIn(text: string): boolean;
}

/** So many letters and digits in a row are no chance: about five words. */
const PIECE = 24;

export function tracesOf(texts: readonly string[]): Traces {
  const bare = texts.map(lettersOf).filter((text) => text !== "");
  const pieces = new Set(bare.flatMap(piecesOf));
  // A text that is shorter than a piece is looked for as a whole.
  const lengths = [...new Set([...pieces].map((piece) => piece.length))];
  const sentences = new Set(texts.flatMap(splitSentences).map(normalizeText));
  return {
    isIn: (text) => {
      const letters = lettersOf(text);
      return lengths.some((length) =>
        length < SHORTEST ? pieces.has(letters) : hasPiece(letters, { length, pieces }),
      );
    },
    isNamedIn: (name) => {
      const letters = lettersOf(name);
      return letters.length >= SHORTEST && bare.some((text) => text.includes(letters));
    },
    isSaidIn: (text) => splitSentences(text).some((one) => sentences.has(normalizeText(one))),
  };
}

/** A word or two are in many texts by chance: they count only where they are all there is. */
const SHORTEST = 8;

function lettersOf(text: string): string {
  return foldCase(text).replace(/[^\p{L}\p{N}]/gu, "");
}

function piecesOf(letters: string): readonly string[] {
  if (letters.length <= PIECE) return [letters];
  return Array.from({ length: letters.length - PIECE + 1 }, (_, at) =>
    letters.slice(at, at + PIECE),
  );
}

function hasPiece(
  letters: string,
  { length, pieces }: { readonly length: number; readonly pieces: ReadonlySet<string> },
): boolean {
  for (let at = 0; at + length <= letters.length; at += 1) {
    if (pieces.has(letters.slice(at, at + length))) return true;
  }
  return false;
}
