import { setImmediate } from "node:timers/promises";
import type { VectorMatrix } from "./vectors.ts";

/** Unit vectors, one after the other, around which rows are gathered. */
export interface Centres {
  readonly count: number;
  readonly data: Float32Array;
}

/** The rows to gather, those with a vector, and the length of every row of the matrix. */
export interface RowsToGather {
  readonly matrix: VectorMatrix;
  readonly lengths: Float64Array;
  readonly rows: Uint32Array;
  readonly signal?: AbortSignal | undefined;
}

const SAMPLE_PER_CENTRE = 48;
const ROUNDS = 4;
/** Rows between two looks at the signal. */
const ROWS_BETWEEN_PAUSES = 512;

/**
 * Spherical k-means (Dhillon and Modha 2001) on evenly spaced rows, from evenly spaced rows: the same rows always give the same centres.
 * Where they lie decides how many pairs are found and how fast, so a few rounds on a sample are enough.
 */
export async function findCentres(input: RowsToGather, count: number): Promise<Centres> {
  const { matrix, rows } = input;
  const sample = everyNth(rows, count * SAMPLE_PER_CENTRE);
  const centres = { count, data: new Float32Array(count * matrix.dimensions) };
  for (const [index, row] of everyNth(sample, count).entries()) {
    addUnit(centres, index, { ...input, row });
  }
  for (let round = 0; round < ROUNDS; round++) {
    // Each round starts from the centres of the last.
    const { nearest } = await assignRows({ ...input, rows: sample }, centres, 1);
    const next = { count, data: new Float32Array(centres.data.length) };
    for (const [at, row] of sample.entries()) addUnit(next, nearest[at] ?? 0, { ...input, row });
    moveCentres(centres, next, matrix.dimensions);
  }
  return centres;
}

/** The centres nearest to each row, `probes` a row, nearest first; of equally near ones the first. */
export interface Assignment {
  readonly probes: number;
  readonly nearest: Uint16Array;
}

export async function assignRows(
  { matrix, rows, signal }: RowsToGather,
  centres: Centres,
  probes: number,
): Promise<Assignment> {
  const nearest = new Uint16Array(rows.length * probes);
  const products = new Float32Array(centres.count);
  // Converted once: to convert at every product costs a fifth of the time.
  const [wide, values] = [Float64Array.from(centres.data), new Float64Array(matrix.dimensions)];
  for (const [at, row] of rows.entries()) {
    if (at % ROWS_BETWEEN_PAUSES === 0) {
      // Rows come one after the other: the pause is what lets a signal arrive.
      await setImmediate();
      signal?.throwIfAborted();
    }
    const start = row * matrix.dimensions;
    values.set(matrix.data.subarray(start, start + matrix.dimensions));
    multiply(values, wide, products);
    takeLargest(products, nearest.subarray(at * probes, (at + 1) * probes));
  }
  return { probes, nearest };
}

export function everyNth(rows: Uint32Array, count: number): Uint32Array {
  if (rows.length <= count) return rows;
  return Uint32Array.from(
    { length: count },
    (_, at) => rows[Math.floor((at * rows.length) / count)] ?? 0,
  );
}

/** The row times every centre, four centres in one pass over the row. Its length does not matter to the order of the products. */
function multiply(row: Float64Array, centres: Float64Array, products: Float32Array): void {
  const dimensions = row.length;
  for (let centre = 0; centre < products.length; centre += 4) {
    const at = centre * dimensions;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let k = 0; k < dimensions; k++) {
      const x = row[k] ?? 0;
      a += x * (centres[at + k] ?? 0);
      b += x * (centres[at + dimensions + k] ?? 0);
      c += x * (centres[at + 2 * dimensions + k] ?? 0);
      d += x * (centres[at + 3 * dimensions + k] ?? 0);
    }
    products[centre] = a;
    products[centre + 1] = b;
    products[centre + 2] = c;
    products[centre + 3] = d;
  }
}

function takeLargest(products: Float32Array, best: Uint16Array): void {
  let filled = 0;
  for (let centre = 0; centre < products.length; centre++) {
    const value = products[centre] ?? 0;
    let slot = filled;
    while (slot > 0 && value > (products[best[slot - 1] ?? 0] ?? 0)) slot--;
    if (slot === best.length) continue;
    best.copyWithin(slot + 1, slot, Math.min(filled, best.length - 1));
    best[slot] = centre;
    if (filled < best.length) filled++;
  }
}

function addUnit(
  { data }: Centres,
  centre: number,
  { matrix, lengths, row }: RowsToGather & { readonly row: number },
): void {
  const { dimensions } = matrix;
  const [from, to] = [row * dimensions, centre * dimensions];
  const factor = 1 / (lengths[row] ?? 1);
  for (let k = 0; k < dimensions; k++) {
    data[to + k] = (data[to + k] ?? 0) + factor * (matrix.data[from + k] ?? 0);
  }
}

/** A centre that lost all its rows stays where it was. */
function moveCentres(centres: Centres, sums: Centres, dimensions: number): void {
  for (let centre = 0; centre < centres.count; centre++) {
    const sum = sums.data.subarray(centre * dimensions, (centre + 1) * dimensions);
    const length = Math.sqrt(sum.reduce((squares, x) => squares + x * x, 0));
    if (length === 0) continue;
    centres.data.set(
      sum.map((x) => x / length),
      centre * dimensions,
    );
  }
}
