import path from "node:path";
import { packagePath } from "../../model/package-path.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { readTable, type TokenTable } from "./read-table.ts";
import { createWordPieces } from "./word-pieces.ts";

export interface StaticEmbedder extends Embedder {
  /** As `embed` for one text, at once: tens of microseconds, so span comparisons can afford it. */
  encode(text: string): Float32Array;
}

export interface StaticEmbedderOptions {
  /** Folder that holds `static-embedding/`. @default the package's own `assets` */
  readonly assetsDir?: string;
}

/**
 * The built-in embedder: one vector a token from a bundled table, summed and normalised. English, no network, no model
 * run. It is blind to word order, and every word the vocabulary cannot spell counts as the same unknown word.
 * Fails with `SlowwaveError("embedder")` where the table is missing or damaged.
 */
export async function loadStaticEmbedder(
  options: StaticEmbedderOptions = {},
): Promise<StaticEmbedder> {
  const table = await readTable(
    path.join(options.assetsDir ?? packagePath("assets"), "static-embedding"),
  );
  const { dimensions } = table;
  const fill = createEncoder(table);
  return {
    id: `static-wordnet-${dimensions}@1-${table.hashPrefix}`,
    dimensions,
    // A table that a newer version ships makes a hundred thousand vectors in seconds.
    replaces: (id) => id.startsWith("static-wordnet-"),
    encode: (text) => fill(new Float32Array(dimensions), text),
    embed: async (texts) => {
      // One buffer for all: with one for each, the garbage collector takes longer than the sums.
      const block = new Float32Array(texts.length * dimensions);
      return texts.map((text, index) =>
        fill(block.subarray(index * dimensions, (index + 1) * dimensions), text),
      );
    },
  };
}

/** Makes a vector of zeros that of a text, and returns it. */
function createEncoder(table: TokenTable): (vector: Float32Array, text: string) => Float32Array {
  const split = createWordPieces(table);
  const unknown = table.vocabulary.idOf("[UNK]");
  return (vector, text) => {
    const tokens = split(text);
    // Otherwise all texts in an unknown script would be equal to each other.
    if (tokens.every((token) => token === unknown)) return vector;
    const whole = tokens.length - (tokens.length % 4);
    for (let at = 0; at < whole; at += 4) addFourRows(vector, table, { tokens, at });
    for (let at = whole; at < tokens.length; at++) addRow(vector, table, tokens[at] ?? 0);
    return normalizeInPlace(vector);
  };
}

/** As `addRow` for one after the other, rounding after each; in one pass over the vector, which takes a third less time. */
function addFourRows(
  vector: Float32Array,
  { rows, scales }: TokenTable,
  { tokens, at }: { readonly tokens: readonly number[]; readonly at: number },
): void {
  const { fround } = Math;
  const { length } = vector;
  const [a = 0, b = 0, c = 0, d = 0] = [tokens[at], tokens[at + 1], tokens[at + 2], tokens[at + 3]];
  const [scaleA = 0, scaleB = 0] = [scales[a], scales[b]];
  const [scaleC = 0, scaleD = 0] = [scales[c], scales[d]];
  const [startA, startB, startC, startD] = [a * length, b * length, c * length, d * length];
  for (let k = 0; k < length; k++) {
    let sum = fround((vector[k] ?? 0) + scaleA * (rows[startA + k] ?? 0));
    sum = fround(sum + scaleB * (rows[startB + k] ?? 0));
    sum = fround(sum + scaleC * (rows[startC + k] ?? 0));
    vector[k] = sum + scaleD * (rows[startD + k] ?? 0);
  }
}

function addRow(vector: Float32Array, { rows, scales }: TokenTable, token: number): void {
  const scale = scales[token] ?? 0;
  const start = token * vector.length;
  for (let k = 0; k < vector.length; k++)
    vector[k] = (vector[k] ?? 0) + scale * (rows[start + k] ?? 0);
}

function normalizeInPlace(vector: Float32Array): Float32Array {
  let squares = 0;
  // Not `for … of`, which makes an object of each number.
  for (let k = 0; k < vector.length; k++) {
    const x = vector[k] ?? 0;
    squares += x * x;
  }
  if (squares === 0) return vector;
  const length = Math.sqrt(squares);
  for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] ?? 0) / length;
  return vector;
}
