import type { Embedder } from "../../ports/embedder.ts";

/**
 * In-memory twin of an embedder: each word adds a vector of +1 and -1 derived from its hash, so texts are as similar as
 * the words they share. Meaning plays no part; for tests and trials only.
 */
export function createHashEmbedder({
  dimensions = 64,
}: {
  readonly dimensions?: number;
} = {}): Embedder {
  return {
    id: `hash-${dimensions}@1`,
    dimensions,
    embed: async (texts) => texts.map((text) => encode(text, dimensions)),
  };
}

function encode(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) addWord(vector, word);
  const length = Math.hypot(...vector);
  // Words can cancel each other out; then, too, there is no direction.
  return length === 0 ? vector : vector.map((x) => x / length);
}

function addWord(vector: Float32Array, word: string): void {
  let state = 2166136261;
  for (let i = 0; i < word.length; i++) state = Math.imul(state ^ word.charCodeAt(i), 16777619);
  for (let k = 0; k < vector.length; k++) {
    // mulberry32 step: FNV alone changes too few bits from one dimension to the next.
    state = (state + 0x6d2b79f5) | 0;
    const mixed = Math.imul(state ^ (state >>> 15), state | 1);
    vector[k] = (vector[k] ?? 0) + ((mixed ^ (mixed >>> 14)) & 1 ? 1 : -1);
  }
}
