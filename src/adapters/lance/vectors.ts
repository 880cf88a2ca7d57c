import { SlowwaveError } from "../../model/errors.ts";
import type { Embedder } from "../../ports/embedder.ts";

/**
 * The vector of each distinct text, null where it has none. Checked, because LanceDB pads or cuts a vector of a wrong length, accepts
 * infinities, and finds vectors of other lengths than 1 in another order.
 * @throws SlowwaveError `embedder`
 */
export async function embedTexts(
  embedder: Embedder,
  texts: Iterable<string>,
): Promise<ReadonlyMap<string, Float32Array | null>> {
  const distinct = [...new Set(texts)];
  const result = new Map<string, Float32Array | null>();
  for (let start = 0; start < distinct.length; start += CHUNK) {
    const chunk = distinct.slice(start, start + CHUNK);
    // In turns, so that a large import does not hold every text's intermediate state at once.
    const vectors = await embedder.embed(chunk);
    for (const [index, text] of chunk.entries()) {
      result.set(text, checked(embedder, vectors[index]));
    }
  }
  return result;
}

const CHUNK = 4_096;

function checked(embedder: Embedder, vector: Float32Array | undefined): Float32Array | null {
  if (vector?.length !== embedder.dimensions) {
    const got = vector === undefined ? "none" : `${vector.length}`;
    throw new SlowwaveError(
      "embedder",
      `embedder ${embedder.id}: expected a vector of ${embedder.dimensions} numbers, got ${got}`,
    );
  }
  let squares = 0;
  // Not `for … of`, which makes an object of each number.
  for (let k = 0; k < vector.length; k++) squares += (vector[k] ?? 0) * (vector[k] ?? 0);
  if (squares === 0) return null;
  if (Math.abs(squares - 1) < LENGTH_TOLERANCE) return vector;
  const what = Number.isFinite(squares)
    ? `expected a vector of length 1, got one of ${Math.sqrt(squares)}`
    : "a vector holds NaN or infinity";
  throw new SlowwaveError("embedder", `embedder ${embedder.id}: ${what}`);
}

/** Of squared lengths: what rounding to 16 bits leaves, as some services do, is far less. */
const LENGTH_TOLERANCE = 0.01;
