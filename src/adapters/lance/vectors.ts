import { SlowwaveError } from "../../model/errors.ts";
import type { Embedder } from "../../ports/embedder.ts";

/**
 * The vector of each distinct text, null where it has none. Checked, because LanceDB pads or cuts a vector of a wrong length, accepts
 * infinities, and never finds a zero vector again.
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
  if (!vector.every(Number.isFinite)) {
    throw new SlowwaveError("embedder", `embedder ${embedder.id}: a vector holds NaN or infinity`);
  }
  return vector.some((value) => value !== 0) ? vector : null;
}
