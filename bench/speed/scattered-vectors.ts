import type { VectorMatrix } from "../../src/similarity/vectors.ts";
import { createRandom, type Random } from "./random.ts";

/**
 * Unit rows in random directions, nearly orthogonal to each other, one in eight of them near an earlier one (cosine 0.78 to 0.99): what an
 * early exit likes best, beside which texts of one subject are the harder case.
 */
export function scatteredVectors(rows: number, dimensions: number): VectorMatrix {
  const random = createRandom(7);
  const data = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const target = data.subarray(row * dimensions, (row + 1) * dimensions);
    fillUnit(target, random);
    const earlier = Math.floor(random() * row) * dimensions;
    if (row > 0 && random() < 0.12) {
      pull(target, data.subarray(earlier, earlier + dimensions), 0.78 + 0.21 * random());
    }
  }
  return { rows, dimensions, data };
}

function fillUnit(row: Float32Array, random: Random): void {
  for (let k = 0; k < row.length; k++) {
    row[k] = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  }
  normalize(row);
}

/** Turns a unit row towards another one, in place. */
function pull(row: Float32Array, towards: Float32Array, cosine: number): void {
  const rest = Math.sqrt(1 - cosine * cosine);
  for (let k = 0; k < row.length; k++) row[k] = cosine * (towards[k] ?? 0) + rest * (row[k] ?? 0);
  normalize(row);
}

function normalize(row: Float32Array): void {
  const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
  for (let k = 0; k < row.length; k++) row[k] = (row[k] ?? 0) / length;
}
