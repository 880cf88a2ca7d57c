import path from "node:path";
import { fileURLToPath } from "node:url";
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
 * run. Blind to word order. A word that the table cannot know (an emoji, another script) counts as itself and resembles
 * no other. Fails with `SlowwaveError("embedder")` where the table is missing or damaged.
 */
export async function loadStaticEmbedder(
  options: StaticEmbedderOptions = {},
): Promise<StaticEmbedder> {
  const table = await readTable(
    path.join(options.assetsDir ?? packageAssets(), "static-embedding"),
  );
  const encode = createEncoder(table);
  return {
    id: `static-wordnet-${table.dimensions}@1-${table.hashPrefix}`,
    dimensions: table.dimensions,
    encode,
    embed: async (texts) => texts.map(encode),
  };
}

/** `src/adapters/static-embedder` and `dist/adapters/static-embedder` lie equally deep in the package. */
function packageAssets(): string {
  return fileURLToPath(new URL("../../../assets", import.meta.url));
}

function createEncoder(table: TokenTable): (text: string) => Float32Array {
  const split = createWordPieces(table);
  return (text) => {
    const vector = new Float32Array(table.dimensions);
    for (const token of split(text)) {
      if (token < 0) addStranger(vector, token);
      else addRow(vector, table, token);
    }
    return normalizeInPlace(vector);
  };
}

/** The median length of the table's rows. */
const STRANGER_LENGTH = 1.5;

/**
 * A direction of the word's own. BERT has one row for all unknown words, which would make "likes 🍎" and "likes 🍌" equal,
 * and a text in another script like any other.
 */
function addStranger(vector: Float32Array, token: number): void {
  const step = STRANGER_LENGTH / Math.sqrt(vector.length);
  let state = token | 0;
  for (let k = 0; k < vector.length; k++) {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    vector[k] = (vector[k] ?? 0) + ((mixed ^ (mixed >>> 14)) & 1 ? step : -step);
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
