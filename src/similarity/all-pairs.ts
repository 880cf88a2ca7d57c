import { availableParallelism } from "node:os";
import { chooseEngine, type PairEngine } from "./kernel/choose-engine.ts";
import { packRows } from "./kernel/pack-rows.ts";
import { scanRows } from "./kernel/scan-rows.ts";
import { scanRowsInThreads } from "./kernel/scan-rows-in-threads.ts";
import { findPairsNaively, type OnPair, type PairQuery } from "./naive-pairs.ts";
import { createPairCollector, type PairList } from "./pair-list.ts";
import { rowCosine, rowLengths, type VectorMatrix } from "./vectors.ts";

export interface AllPairsQuery extends PairQuery {
  /** @default as many as the machine runs in parallel */
  readonly threads?: number;
  /** How to search; by size and by what the host offers where undefined. The pairs are the same. */
  readonly engine?: PairEngine;
}

export interface PairSearch {
  /** Sorted by first, then second row; `similarity` is the cosine, computed in float64. */
  readonly pairs: PairList;
  /** Why the search was slower than it could be, for a person to read. */
  readonly note?: string;
}

/**
 * Every pair of rows whose cosine is at least the threshold, exactly: the same pairs and values as the plain double loop.
 * Zero rows pair with nothing. k equal rows make k²/2 pairs of 16 bytes: group exact copies first. Fails with the signal's
 * reason, or with a RangeError on values that are not finite.
 */
export async function findSimilarPairs(
  matrix: VectorMatrix,
  query: AllPairsQuery,
): Promise<PairSearch> {
  const collector = createPairCollector();
  const { note } = await forEachSimilarPair(matrix, query, collector.add);
  return { pairs: collector.list(), ...(note === undefined ? {} : { note }) };
}

/**
 * As `findSimilarPairs`, but hands pairs on as they are found and keeps none: in order of rows, or, against changed
 * rows, in an order that depends on the rows alone.
 */
export async function forEachSimilarPair(
  matrix: VectorMatrix,
  query: AllPairsQuery,
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
