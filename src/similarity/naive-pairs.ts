import { setImmediate } from "node:timers/promises";
import { rowCosine, rowLengths, type VectorMatrix } from "./vectors.ts";

export interface PairQuery {
  /** Pairs of at least this cosine, -1 to 1. */
  readonly threshold: number;
  /** Rows that changed: only pairs with at least one of them are wanted. @default all rows */
  readonly against?: readonly number[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Called for every pair, first row below second. */
export type OnPair = (first: number, second: number, cosine: number) => void;

/** Multiply-adds between two looks at the signal: some 20 ms. */
const WORK_BETWEEN_PAUSES = 20_000_000;

/**
 * The plain double loop in float64, in order of rows: for few rows, for hosts without SIMD or shared memory, and as what
 * the kernel is tested against. Zero rows have no pairs.
 */
export async function findPairsNaively(
  matrix: VectorMatrix,
  { threshold, against, signal }: PairQuery,
  onPair: OnPair,
): Promise<void> {
  const lengths = rowLengths(matrix);
  const changed = against === undefined ? undefined : new Set(against);
  let work = 0;
  for (let i = 0; i < matrix.rows; i++) {
    work += (matrix.rows - i) * matrix.dimensions;
    if (work > WORK_BETWEEN_PAUSES) {
      work = 0;
      // Rows come one after the other: the pause is what lets a signal arrive.
      await setImmediate();
    }
    signal?.throwIfAborted();
    if (lengths[i] === 0) continue;
    const partners = changed === undefined || changed.has(i) ? undefined : changed;
    scanRow(i, { matrix, lengths, threshold, partners, onPair });
  }
}

interface RowScan {
  readonly matrix: VectorMatrix;
  readonly lengths: Float64Array;
  readonly threshold: number;
  /** Rows to compare with; all where undefined. */
  readonly partners: ReadonlySet<number> | undefined;
  readonly onPair: OnPair;
}

function scanRow(i: number, { matrix, lengths, threshold, partners, onPair }: RowScan): void {
  for (let j = i + 1; j < matrix.rows; j++) {
    if (lengths[j] === 0 || partners?.has(j) === false) continue;
    const value = rowCosine(matrix, lengths, [i, j]);
    if (value >= threshold) onPair(i, j, value);
  }
}
