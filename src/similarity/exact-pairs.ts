import { availableParallelism } from "node:os";
import { chooseEngine, type PairEngine } from "./kernel/choose-engine.ts";
import { packRows } from "./kernel/pack-rows.ts";
import { scanRows } from "./kernel/scan-rows.ts";
import { scanRowsInThreads } from "./kernel/scan-rows-in-threads.ts";
import { findPairsNaively, type OnPair, type PairQuery } from "./naive-pairs.ts";
import { rowCosine, rowLengths, type VectorMatrix } from "./vectors.ts";

export interface ExactQuery extends PairQuery {
  /** @default as many as the machine runs in parallel */
  readonly threads?: number | undefined;
  /** How to search; by size and by what the host offers where undefined. The pairs are the same. */
  readonly engine?: PairEngine | undefined;
}

/**
 * Every pair of rows whose cosine is at least the threshold, exactly: handed on as it is found, in order of rows, or, against changed
 * rows, in an order that depends on the rows alone.
 */
export async function forEachExactPair(
  matrix: VectorMatrix,
  query: ExactQuery,
  onPair: OnPair,
): Promise<{ readonly note?: string }> {
  query.signal?.throwIfAborted();
  const lengths = rowLengths(matrix);
  const { order, queryRows } = orderRows(lengths, query.against);
  const size = { rows: order.length, queryRows, dimensions: matrix.dimensions };
  const { engine, threads, note } = chooseEngine(size, {
    engine: query.engine,
    threads: query.threads ?? availableParallelism(),
  });
  if (engine === "naive") await findPairsNaively(matrix, query, onPair);
  else {
    const packed = packRows({
      matrix,
      lengths,
      order,
      threshold: query.threshold,
      outputs: threads,
    });
    const onStrip = verifyStrip(
      { matrix, lengths, order, queryRows, threshold: query.threshold },
      onPair,
    );
    const options = { queryRows, signal: query.signal, onStrip };
    if (engine === "threads") await scanRowsInThreads(packed, { ...options, threads });
    else await scanRows(packed, options);
  }
  return note === undefined ? {} : { note };
}

/** Rows with a vector, changed ones first: a pair with a changed row then begins with one. */
function orderRows(
  lengths: Float64Array,
  against: readonly number[] | undefined,
): { readonly order: Uint32Array; readonly queryRows: number } {
  const present: number[] = [];
  for (const [row, length] of lengths.entries()) if (length > 0) present.push(row);
  if (against === undefined) return { order: Uint32Array.from(present), queryRows: present.length };
  const changed = new Set(against);
  const first = present.filter((row) => changed.has(row));
  const rest = present.filter((row) => !changed.has(row));
  return { order: Uint32Array.from([...first, ...rest]), queryRows: first.length };
}

interface Verification {
  readonly matrix: VectorMatrix;
  readonly lengths: Float64Array;
  readonly order: Uint32Array;
  readonly queryRows: number;
  readonly threshold: number;
}

/** The kernel's hits are a superset: integers decide who is a candidate, float64 decides who is a pair. */
function verifyStrip(
  { matrix, lengths, order, queryRows, threshold }: Verification,
  onPair: OnPair,
): (hits: Int32Array) => void {
  const verify = (a = 0, b = 0): void => {
    // Beyond these lie unchanged rows of the last strip, and padding.
    if (a >= queryRows || b >= order.length) return;
    const i = order[a] ?? 0;
    const j = order[b] ?? 0;
    const value = rowCosine(matrix, lengths, [i, j]);
    if (value >= threshold) onPair(Math.min(i, j), Math.max(i, j), value);
  };
  return (hits) => {
    for (let at = 0; at < hits.length; at += 2) verify(hits[at], hits[at + 1]);
  };
}
