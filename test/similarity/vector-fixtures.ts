import { matrixOf, type VectorMatrix } from "../../src/similarity/vectors.ts";

/** Deterministic numbers in [0, 1) (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function randomUnit(random: () => number, dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => {
    const radius = Math.sqrt(-2 * Math.log(1 - random()));
    return radius * Math.cos(2 * Math.PI * random());
  });
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

export interface MatrixShape {
  readonly rows: number;
  readonly dimensions: number;
  readonly seed: number;
  /** Shares of rows that are zero, copies of an earlier row, or near an earlier row (cosine 0.6 to 1). */
  readonly zero?: number;
  readonly copied?: number;
  readonly near?: number;
}

export function randomMatrix(shape: MatrixShape): VectorMatrix {
  const { rows, dimensions, seed, zero = 0.02, copied = 0.05, near = 0.3 } = shape;
  const random = seededRandom(seed);
  const vectors: (Float32Array | undefined)[] = [];
  for (let row = 0; row < rows; row++) {
    const earlier = vectors[Math.floor(random() * row)];
    const kind = random();
    if (kind < zero) vectors.push(undefined);
    else if (earlier !== undefined && kind < zero + copied) vectors.push(earlier.slice());
    else if (earlier !== undefined && kind < zero + copied + near) {
      vectors.push(blend(earlier, randomUnit(random, dimensions), 0.6 + 0.4 * random()));
    } else vectors.push(randomUnit(random, dimensions));
  }
  return matrixOf(vectors, dimensions);
}

/** A unit vector at about the given cosine to `towards`, if `other` is about orthogonal to it. */
export function blend(towards: Float32Array, other: Float32Array, cosine: number): Float32Array {
  const rest = Math.sqrt(1 - cosine * cosine);
  const mixed = towards.map((x, k) => cosine * x + rest * (other[k] ?? 0));
  const length = Math.hypot(...mixed);
  return mixed.map((x) => x / length);
}
