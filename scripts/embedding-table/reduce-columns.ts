import { dot, type Matrix, rowOf, zeros } from "./matrix.ts";

/** Special and unused tokens of BERT, whose rows nobody reads, stand before this one. */
const FIRST_WORD = 999;
const SWEEPS = 30;
const NEGLIGIBLE = 1e-11;

/** The rows in the coordinates of their largest singular values, not centred: cosines stay as near as so many columns allow. */
export function reduceColumns(table: Matrix, columns: number): Matrix {
  const axes = principalAxes(secondMoments(table), table.columns).slice(0, columns);
  const result = zeros(table.rows, columns);
  for (let row = 0; row < table.rows; row++) {
    const source = rowOf(table, row);
    for (const [k, axis] of axes.entries()) result.data[row * columns + k] = dot(source, axis);
  }
  return result;
}

function secondMoments(table: Matrix): Float64Array {
  const { columns } = table;
  const moments = new Float64Array(columns * columns);
  for (let row = FIRST_WORD; row < table.rows; row++) {
    const values = rowOf(table, row);
    for (let i = 0; i < columns; i++) {
      const value = values[i] ?? 0;
      for (let j = i; j < columns; j++) {
        moments[i * columns + j] = (moments[i * columns + j] ?? 0) + value * (values[j] ?? 0);
      }
    }
  }
  mirror(moments, columns);
  return moments;
}

function mirror(matrix: Float64Array, size: number): void {
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) matrix[i * size + j] = matrix[j * size + i] ?? 0;
  }
}

/** Eigenvectors of a symmetric matrix, the largest eigenvalue first, by Jacobi's rotations. */
function principalAxes(matrix: Float64Array, size: number): readonly Float32Array[] {
  const vectors = new Float64Array(size * size);
  for (let i = 0; i < size; i++) vectors[i * size + i] = 1;
  const total = traceOf(matrix, size);
  for (let sweep = 0; sweep < SWEEPS && offDiagonal(matrix, size) > NEGLIGIBLE * total; sweep++) {
    for (let p = 0; p < size - 1; p++) {
      for (let q = p + 1; q < size; q++) rotate({ matrix, vectors, size }, p, q);
    }
  }
  return Array.from({ length: size }, (_, k) => k)
    .sort((a, b) => (matrix[b * size + b] ?? 0) - (matrix[a * size + a] ?? 0))
    .map((k) => Float32Array.from(vectors.subarray(k * size, (k + 1) * size)));
}

interface Diagonalising {
  readonly matrix: Float64Array;
  /** One eigenvector a row. */
  readonly vectors: Float64Array;
  readonly size: number;
}

/** Makes the element (p, q) zero. */
function rotate({ matrix, vectors, size }: Diagonalising, p: number, q: number): void {
  const apart = matrix[p * size + q] ?? 0;
  if (apart === 0) return;
  const theta = ((matrix[q * size + q] ?? 0) - (matrix[p * size + p] ?? 0)) / (2 * apart);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const cosine = 1 / Math.sqrt(tangent * tangent + 1);
  const sine = tangent * cosine;
  // Tens of thousands of these make one sweep, so the places are counted along instead of being put together.
  turnLines(matrix, { i: p, j: q, stride: size, size, cosine, sine });
  turnLines(matrix, { i: p * size, j: q * size, stride: 1, size, cosine, sine });
  turnLines(vectors, { i: p * size, j: q * size, stride: 1, size, cosine, sine });
}

/** Turns two rows (stride 1) or columns into each other. */
function turnLines(
  values: Float64Array,
  turn: {
    readonly i: number;
    readonly j: number;
    readonly stride: number;
    readonly size: number;
    readonly cosine: number;
    readonly sine: number;
  },
): void {
  const { stride, size, cosine, sine } = turn;
  let [i, j] = [turn.i, turn.j];
  for (let k = 0; k < size; k++) {
    const one = values[i] ?? 0;
    const other = values[j] ?? 0;
    values[i] = cosine * one - sine * other;
    values[j] = sine * one + cosine * other;
    i += stride;
    j += stride;
  }
}

function traceOf(matrix: Float64Array, size: number): number {
  let sum = 0;
  for (let i = 0; i < size; i++) sum += Math.abs(matrix[i * size + i] ?? 0);
  return sum;
}

function offDiagonal(matrix: Float64Array, size: number): number {
  let largest = 0;
  for (let i = 0; i < size; i++) {
    for (let j = 0; j < i; j++) largest = Math.max(largest, Math.abs(matrix[i * size + j] ?? 0));
  }
  return largest;
}
