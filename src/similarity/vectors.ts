/** Row-major vectors, one a memory. Rows should have unit length; a zero row means "no vector". */
export interface VectorMatrix {
  readonly rows: number;
  readonly dimensions: number;
  /** At least `rows * dimensions` values. */
  readonly data: Float32Array;
}

/** Packs vectors into a matrix; `undefined` becomes a zero row. All must have `dimensions` values. */
export function matrixOf(
  vectors: readonly (Float32Array | undefined)[],
  dimensions: number,
): VectorMatrix {
  const data = new Float32Array(vectors.length * dimensions);
  for (const [row, vector] of vectors.entries()) {
    if (vector === undefined) continue;
    if (vector.length !== dimensions) {
      throw new RangeError(
        `vector ${row}: expected ${dimensions} dimensions, got ${vector.length}`,
      );
    }
    data.set(vector, row * dimensions);
  }
  return { rows: vectors.length, dimensions, data };
}

/** Sum of products in float64; the vectors must be of equal length. */
export function dot(a: Float32Array, b: Float32Array): number {
  return dotAt(a, 0, b, 0, a.length);
}

/** Cosine in float64, within -1 and 1; 0 where either vector is zero. Of unit vectors too, as float32 rounds lengths. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const lengths = Math.sqrt(dot(a, a)) * Math.sqrt(dot(b, b));
  return lengths === 0 ? 0 : clampCosine(dot(a, b) / lengths);
}

/** Float64 length of every row; 0 marks rows without a vector. Fails with a RangeError on a value that is not finite. */
export function rowLengths({ rows, dimensions, data }: VectorMatrix): Float64Array {
  const lengths = new Float64Array(rows);
  for (let row = 0; row < rows; row++) {
    const at = row * dimensions;
    lengths[row] = Math.sqrt(dotAt(data, at, data, at, dimensions));
    if (!Number.isFinite(lengths[row]))
      throw new RangeError(`vector ${row} holds a value that is not finite`);
  }
  return lengths;
}

/** Cosine of two rows whose `rowLengths` are known: the one definition that every search must agree on, bit for bit. */
export function rowCosine(
  { dimensions, data }: VectorMatrix,
  lengths: Float64Array,
  [i, j]: readonly [number, number],
): number {
  const product = dotAt(data, i * dimensions, data, j * dimensions, dimensions);
  return clampCosine(product / ((lengths[i] ?? 0) * (lengths[j] ?? 0)));
}

function dotAt(
  a: Float32Array,
  aStart: number,
  b: Float32Array,
  bStart: number,
  length: number,
): number {
  let sum = 0;
  for (let k = 0; k < length; k++) sum += (a[aStart + k] ?? 0) * (b[bStart + k] ?? 0);
  return sum;
}

function clampCosine(value: number): number {
  return Math.max(-1, Math.min(1, value));
}
