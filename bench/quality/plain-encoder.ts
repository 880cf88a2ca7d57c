import { readFile } from "node:fs/promises";
import path from "node:path";
import type { TokenTable } from "../../src/adapters/static-embedder/read-table.ts";

/** The tokens of `assets/static-embedding`, by id. */
export async function readVocabulary(directory: string): Promise<readonly string[]> {
  return (await readFile(path.join(directory, "vocab.txt"), "utf8")).trimEnd().split("\n");
}

/** In characters; BERT takes longer words for unknown ones. */
const LONGEST_WORD = 100;

/**
 * The plain way from text to vector, as one would write it from the table's description: what the built-in embedder's speed is
 * measured against. It keeps the pieces of words that it has split, as the plainest useful encoder does.
 */
export function createPlainEncoder(
  { dimensions, maxTokens, rows, scales }: TokenTable,
  vocabulary: readonly string[],
): (text: string) => Float32Array {
  const ids = new Map(vocabulary.map((token, id) => [token, id]));
  const pieces = createPieces(ids);
  return (text) => {
    const tokens = wordsOf(text).flatMap(pieces).slice(0, maxTokens);
    const vector = new Float32Array(dimensions);
    for (const token of tokens) {
      const [scale, offset] = [scales[token] ?? 0, token * dimensions];
      for (let k = 0; k < dimensions; k++) {
        vector[k] = (vector[k] ?? 0) + scale * (rows[offset + k] ?? 0);
      }
    }
    divideByLength(vector);
    return vector;
  };
}

function divideByLength(vector: Float32Array): void {
  let squares = 0;
  for (let k = 0; k < vector.length; k++) squares += (vector[k] ?? 0) ** 2;
  const length = Math.sqrt(squares) || 1;
  for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] ?? 0) / length;
}

function wordsOf(text: string): readonly string[] {
  return (
    text
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{Mn}/gu, "")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: Python counts these as white space.
      .replace(/[\s\x1c-\x1f\x85]/gu, " ")
      .replace(/\p{C}/gu, "")
      // ASCII symbols count as punctuation in BERT.
      .replace(/([!-/:-@[-`{-~]|\p{P}|[\u4e00-\u9fff])/gu, " $1 ")
      .split(" ")
      .filter((word) => word !== "")
  );
}

function createPieces(ids: ReadonlyMap<string, number>): (word: string) => readonly number[] {
  const known = new Map<string, readonly number[]>();
  const unknown = [ids.get("[UNK]") ?? 0];
  return (word) => {
    const found = known.get(word) ?? longestMatches([...word], ids) ?? unknown;
    known.set(word, found);
    return found;
  };
}

function longestMatches(
  letters: readonly string[],
  ids: ReadonlyMap<string, number>,
): readonly number[] | undefined {
  if (letters.length > LONGEST_WORD) return undefined;
  const found: number[] = [];
  for (let start = 0; start < letters.length; ) {
    let end = letters.length;
    const idAt = (): number | undefined =>
      ids.get((start > 0 ? "##" : "") + letters.slice(start, end).join(""));
    while (end > start && idAt() === undefined) end -= 1;
    const id = idAt();
    if (end === start || id === undefined) return undefined;
    found.push(id);
    start = end;
  }
  return found;
}
