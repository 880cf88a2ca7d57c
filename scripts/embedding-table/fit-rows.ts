import type { Sentence } from "./choose-corpus.ts";
import { addScaled, centred, type Matrix, rowOf, zeros } from "./matrix.ts";

/** Frequent tokens count little: weight a / (a + p), after Arora et al. 2017 (SIF). */
const SIF_A = 1e-3;
const RIDGE_LAMBDA = 0.1;
const ITERATIONS = 25;
/** Of the residual: more only fits noise. */
const GOOD_ENOUGH = 1e-4;

export const FIT = { sifA: SIF_A, ridgeLambda: RIDGE_LAMBDA, cgIterations: ITERATIONS } as const;

/**
 * One row a token, so that the weighted mean of a sentence's rows comes near the teacher's vector of it: the rows start at the teacher's
 * vectors of the single tokens, times one factor, and get the correction D that minimises |A (c·E + D) - Y|² + λ |D|², by conjugate
 * gradients, each column for itself. The weight is folded into the row.
 */
export function fitRows(input: {
  readonly sentences: readonly Sentence[];
  /** Of each token, in the whole corpus. */
  readonly counts: Float64Array;
  readonly taught: Matrix;
  readonly single: Matrix;
}): Matrix {
  const { sentences, single } = input;
  const weights = weightsOf(input.counts);
  const average = createAverage(sentences, weights);
  const [start, goal] = [centred(single), centred(input.taught)];
  const mean = average.apply(start);
  const factor = productOf(mean.data, goal.data) / productOf(mean.data, mean.data);
  for (let at = 0; at < goal.data.length; at++) {
    goal.data[at] = (goal.data[at] ?? 0) - factor * (mean.data[at] ?? 0);
  }
  const correction = solve(average, average.transposed(goal));
  for (let token = 0; token < single.rows; token++) {
    const row = rowOf(correction, token);
    addScaled(row, rowOf(start, token), factor);
    const weight = weights[token] ?? 0;
    for (let k = 0; k < row.length; k++) row[k] = (row[k] ?? 0) * weight;
  }
  return correction;
}

function weightsOf(counts: Float64Array): Float64Array {
  const smooth = counts.map((count) => count + 0.5);
  const total = smooth.reduce((sum, count) => sum + count, 0);
  return smooth.map((count) => SIF_A / (SIF_A + count / total));
}

/** The linear map from rows to sentences, and back. */
interface Average {
  apply(rows: Matrix): Matrix;
  transposed(vectors: Matrix): Matrix;
}

function createAverage(sentences: readonly Sentence[], weights: Float64Array): Average {
  const shares = sentences.map(({ tokens }) => {
    const total = tokens.reduce((sum, token) => sum + (weights[token] ?? 0), 0);
    return tokens.map((token) => (weights[token] ?? 0) / total);
  });
  return {
    apply: (rows) => {
      const result = zeros(sentences.length, rows.columns);
      for (const [at, { tokens }] of sentences.entries()) {
        const target = rowOf(result, at);
        for (const [index, token] of tokens.entries()) {
          addScaled(target, rowOf(rows, token), shares[at]?.[index] ?? 0);
        }
      }
      return result;
    },
    transposed: (vectors) => {
      const result = zeros(weights.length, vectors.columns);
      for (const [at, { tokens }] of sentences.entries()) {
        const source = rowOf(vectors, at);
        for (const [index, token] of tokens.entries()) {
          addScaled(rowOf(result, token), source, shares[at]?.[index] ?? 0);
        }
      }
      return result;
    },
  };
}

/** (AᵀA + λI) D = `right` */
function solve(average: Average, right: Matrix): Matrix {
  const { rows, columns } = right;
  const solution = zeros(rows, columns);
  const residual = { ...right, data: right.data.slice() };
  const direction = { ...right, data: right.data.slice() };
  let squares = columnProducts(residual, residual);
  const first = sumOf(squares);
  for (let step = 0; step < ITERATIONS && sumOf(squares) > GOOD_ENOUGH * first; step++) {
    const image = average.transposed(average.apply(direction));
    addScaled(image.data, direction.data, RIDGE_LAMBDA);
    const curvature = columnProducts(direction, image);
    const lengths = squares.map((square, k) => square / Math.max(curvature[k] ?? 0, 1e-12));
    addByColumn(solution, direction, lengths);
    addByColumn(
      residual,
      image,
      lengths.map((length) => -length),
    );
    const next = columnProducts(residual, residual);
    const turns = next.map((square, k) => square / Math.max(squares[k] ?? 0, 1e-12));
    for (let at = 0; at < direction.data.length; at++) {
      const turned = (turns[at % columns] ?? 0) * (direction.data[at] ?? 0);
      direction.data[at] = (residual.data[at] ?? 0) + turned;
    }
    squares = next;
  }
  return solution;
}

function columnProducts(a: Matrix, b: Matrix): Float64Array {
  const products = new Float64Array(a.columns);
  for (let row = 0; row < a.rows; row++) {
    const offset = row * a.columns;
    for (let k = 0; k < a.columns; k++) {
      const product = (a.data[offset + k] ?? 0) * (b.data[offset + k] ?? 0);
      products[k] = (products[k] ?? 0) + product;
    }
  }
  return products;
}

function addByColumn(target: Matrix, source: Matrix, factors: Float64Array): void {
  const { columns } = target;
  for (let row = 0; row < target.rows; row++) {
    const offset = row * columns;
    for (let k = 0; k < columns; k++) {
      const more = (factors[k] ?? 0) * (source.data[offset + k] ?? 0);
      target.data[offset + k] = (target.data[offset + k] ?? 0) + more;
    }
  }
}

function productOf(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}
