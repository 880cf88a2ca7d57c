/** Row-major. All arithmetic on it is plus, minus, times, divide and square root, which IEEE 754 defines to the bit. */
export interface Matrix {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
}

export function zeros(rows: number, columns: number): Matrix {
  return { rows, columns, data: new Float32Array(rows * columns) };
}

export function rowOf({ columns, data }: Matrix, row: number): Float32Array {
  return data.subarray(row * columns, (row + 1) * columns);
}

export function dot(a: Float32Array, b: Float32Array): number {
  let [s0, s1, s2, s3] = [0, 0, 0, 0];
  // Four sums at once; all widths here are multiples of four.
  for (let k = 0; k < a.length; k += 4) {
    s0 += (a[k] ?? 0) * (b[k] ?? 0);
    s1 += (a[k + 1] ?? 0) * (b[k + 1] ?? 0);
    s2 += (a[k + 2] ?? 0) * (b[k + 2] ?? 0);
    s3 += (a[k + 3] ?? 0) * (b[k + 3] ?? 0);
  }
  return s0 + s1 + (s2 + s3);
}

/** `target += factor · source` */
export function addScaled(target: Float32Array, source: Float32Array, factor: number): void {
  for (let k = 0; k < target.length; k++) {
    target[k] = (target[k] ?? 0) + factor * (source[k] ?? 0);
  }
}

/** Cosines, where rows are unit vectors, of all rows with each other. */
export function innerProducts(matrix: Matrix): Matrix {
  const result = zeros(matrix.rows, matrix.rows);
  for (let i = 0; i < matrix.rows; i++) {
    const row = rowOf(matrix, i);
    for (let j = 0; j <= i; j++) {
      const product = dot(row, rowOf(matrix, j));
      result.data[i * matrix.rows + j] = product;
      result.data[j * matrix.rows + i] = product;
    }
  }
  return result;
}

/** The mean row. */
export function meanRow(matrix: Matrix): Float32Array {
  const sums = new Float64Array(matrix.columns);
  for (let row = 0; row < matrix.rows; row++) {
    const values = rowOf(matrix, row);
    for (let k = 0; k < matrix.columns; k++) sums[k] = (sums[k] ?? 0) + (values[k] ?? 0);
  }
  return Float32Array.from(sums, (sum) => sum / matrix.rows);
}

/** Every row less the mean row. */
export function centred(matrix: Matrix): Matrix {
  const mean = meanRow(matrix);
  const result = { ...matrix, data: matrix.data.slice() };
  for (let row = 0; row < matrix.rows; row++) addScaled(rowOf(result, row), mean, -1);
  return result;
}
