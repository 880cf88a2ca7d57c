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
  const encode = createEncoder(table);
  return {
    id: `static-wordnet-${table.dimensions}@1-${table.hashPrefix}`,
    dimensions: table.dimensions,
    // A table that a newer version ships makes a hundred thousand vectors in seconds.
    replaces: (id) => id.startsWith("static-wordnet-"),
    encode,
    embed: async (texts) => texts.map(encode),
  };
}

function createEncoder(table: TokenTable): (text: string) => Float32Array {
  const split = createWordPieces(table);
  const unknown = table.vocabulary.idOf("[UNK]");
  return (text) => {
    const vector = new Float32Array(table.dimensions);
    const tokens = split(text);
    // Otherwise all texts in an unknown script would be equal to each other.
    if (tokens.every((token) => token === unknown)) return vector;
    const whole = tokens.length - (tokens.length % 4);
    for (let at = 0; at < whole; at += 4) addFourRows(vector, table, tokens.slice(at, at + 4));
    for (const token of tokens.slice(whole)) addRow(vector, table, token);
    return normalizeInPlace(vector);
  };
}

/** As `addRow` for one after the other, rounding after each; in one pass over the vector, which takes a third less time. */
function addFourRows(
  vector: Float32Array,
  { rows, scales, dimensions }: TokenTable,
  [a = 0, b = 0, c = 0, d = 0]: readonly number[],
): void {
  const { fround } = Math;
  const [scaleA = 0, scaleB = 0, scaleC = 0] = [scales[a], scales[b], scales[c]];
  const scaleD = scales[d] ?? 0;
  for (let k = 0; k < dimensions; k++) {
    let sum = fround((vector[k] ?? 0) + scaleA * (rows[a * dimensions + k] ?? 0));
    sum = fround(sum + scaleB * (rows[b * dimensions + k] ?? 0));
    sum = fround(sum + scaleC * (rows[c * dimensions + k] ?? 0));
    vector[k] = sum + scaleD * (rows[d * dimensions + k] ?? 0);
  }
}

function addRow(
  vector: Float32Array,
  { rows, scales, dimensions }: TokenTable,
  token: number,
): void {
  const scale = scales[token] ?? 0;
  const offset = token * dimensions;
  for (let k = 0; k < dimensions; k++)
    vector[k] = (vector[k] ?? 0) + scale * (rows[offset + k] ?? 0);
}

function normalizeInPlace(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const x of vector) squares += x * x;
  if (squares === 0) return vector;
  const length = Math.sqrt(squares);
  for (let k = 0; k < vector.length; k++) vector[k] = (vector[k] ?? 0) / length;
  return vector;
}
