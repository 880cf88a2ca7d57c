import type { VectorMatrix } from "../vectors.ts";

/** Reads rows of a matrix as unit vectors, dimensions with the most energy first. */
export interface UnitRows {
  readonly dimensions: number;
  /** Writes the row into `target`, in float64. */
  read(row: number, target: Float64Array): void;
}

/** Enough to rank dimensions; the ranking decides speed, never results. */
const SAMPLED_ROWS = 2048;

/**
 * A permutation of the dimensions leaves every dot product as it is, and the more of it the first dimensions hold, the
 * earlier the kernel can give up on a pair.
 */
export function unitRows(
  { dimensions, data }: VectorMatrix,
  lengths: Float64Array,
  rows: Uint32Array,
): UnitRows {
  const energy = new Float64Array(dimensions);
  const stride = Math.max(1, Math.floor(rows.length / SAMPLED_ROWS));
  for (let at = 0; at < rows.length; at += stride) {
    const row = rows[at] ?? 0;
    const squared = (lengths[row] ?? 1) ** 2;
    for (let k = 0; k < dimensions; k++) {
      energy[k] = (energy[k] ?? 0) + (data[row * dimensions + k] ?? 0) ** 2 / squared;
    }
  }
  const order = Uint32Array.from({ length: dimensions }, (_, k) => k).sort(
    (a, b) => (energy[b] ?? 0) - (energy[a] ?? 0) || a - b,
  );
  return {
    dimensions,
    read(row, target) {
      const factor = 1 / (lengths[row] ?? 1);
      const start = row * dimensions;
      for (let k = 0; k < dimensions; k++)
        target[k] = (data[start + (order[k] ?? 0)] ?? 0) * factor;
    },
  };
}
