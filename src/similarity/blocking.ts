import {
  type Assignment,
  assignRows,
  everyNth,
  findCentres,
  type RowsToGather,
} from "./blocking-centres.ts";
import { type ExactQuery, forEachExactPair } from "./exact-pairs.ts";
import type { OnPair } from "./naive-pairs.ts";
import { rowLengths, type VectorMatrix } from "./vectors.ts";

/** Cells that a row is looked for in, at most; how many are needed is measured. */
const MOST_PROBES = 16;
/** Rows whose pairs are searched for exactly, to see how many blocking would find. */
const SAMPLED_ROWS = 2000;
/** Half of the sampled pairs choose the number of cells, so that the other half finds at least 0.99. */
const WANTED_RECALL = 0.997;
/** Gathering costs rows × cells, comparing rows² / cells at some forty times the speed: measured best at this times √rows. */
const CELLS_PER_ROOT = 0.35;

/** For a person to read: how it was searched, and what share of pairs that finds. */
export interface BlockedSearch {
  readonly note: string;
  /** Share of the sampled pairs that blocking finds; 1 where the sample has none. */
  readonly recall: number;
}

/**
 * Nearly all pairs of `forEachExactPair`, each once and with the same value, for stores that are too large to compare everything: rows are
 * gathered in cells around centres (an inverted file), and every row is compared with those that have its own cell among their nearest.
 * How many cells count as near is chosen on a sample of rows that is compared with all others, which also tells what share of pairs is
 * found. Nothing is random: the same rows give the same pairs in the same order.
 */
export async function forEachBlockedPair(
  matrix: VectorMatrix,
  query: ExactQuery,
  onPair: OnPair,
): Promise<BlockedSearch> {
  const lengths = rowLengths(matrix);
  const rows = Uint32Array.from(lengths.keys()).filter((row) => (lengths[row] ?? 0) > 0);
  const input = { matrix, lengths, rows, signal: query.signal };
  const centres = await findCentres(input, cellCount(rows.length));
  const places = createPlaces(matrix.rows, rows, await assignRows(input, centres, MOST_PROBES));
  const sample = await measureRecall(input, { query, places });
  await compareCells(input, { query, places, probes: sample.probes, onPair });
  const found = sample.pairs === 0 ? "no pair" : `${(100 * sample.recall).toFixed(1)} % of pairs`;
  return {
    recall: sample.recall,
    note: `${rows.length} vectors are too many to compare all with all: compared in ${centres.count} cells, ${sample.probes} a vector; of a sample, ${found} ${sample.pairs === 0 ? "was there to be found" : "are found so"}.`,
  };
}

function cellCount(rows: number): number {
  const wanted = Math.round(CELLS_PER_ROOT * Math.sqrt(rows));
  // Centres are multiplied four at a time.
  return Math.max(4, Math.ceil(wanted / 4) * 4);
}

/** Where each row of the matrix is gathered. */
interface Places {
  readonly rows: Uint32Array;
  cellOf(row: number, probe: number): number;
  /** How many cells must count as near for `row` to be met in `cell`; one more than there are where it never is. */
  probesTo(row: number, cell: number): number;
}

function createPlaces(total: number, rows: Uint32Array, { nearest, probes }: Assignment): Places {
  const placeOf = new Uint32Array(total);
  for (const [at, row] of rows.entries()) placeOf[row] = at;
  const cellOf = (row: number, probe: number): number =>
    nearest[(placeOf[row] ?? 0) * probes + probe] ?? 0;
  const probesTo = (row: number, cell: number): number => {
    for (let probe = 0; probe < probes; probe++) if (cellOf(row, probe) === cell) return probe + 1;
    return probes + 1;
  };
  return { rows, cellOf, probesTo };
}

async function measureRecall(
  { matrix, rows }: RowsToGather,
  { query, places }: { readonly query: ExactQuery; readonly places: Places },
): Promise<{ readonly probes: number; readonly recall: number; readonly pairs: number }> {
  const against = [...everyNth(rows, SAMPLED_ROWS)];
  // Pairs by the probes that they need, every other one in the second list.
  const counts = [new Float64Array(MOST_PROBES + 2), new Float64Array(MOST_PROBES + 2)] as const;
  let pairs = 0;
  await forEachExactPair(matrix, { ...query, against }, (i, j) => {
    const needed = Math.min(
      places.probesTo(i, places.cellOf(j, 0)),
      places.probesTo(j, places.cellOf(i, 0)),
    );
    const half = counts[pairs % 2 === 0 ? 0 : 1];
    half[needed] = (half[needed] ?? 0) + 1;
    pairs++;
  });
  const [choosing, telling] = counts;
  let probes = 1;
  while (probes < MOST_PROBES && shareWithin(choosing, probes) < WANTED_RECALL) probes++;
  return { probes, pairs, recall: shareWithin(telling, probes) };
}

function shareWithin(counts: Float64Array, probes: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0);
  const within = counts.subarray(0, probes + 1).reduce((sum, count) => sum + count, 0);
  return all === 0 ? 1 : within / all;
}

interface Comparison {
  readonly query: ExactQuery;
  readonly places: Places;
  readonly probes: number;
  readonly onPair: OnPair;
}

/** Cell by cell: the rows that have it for their nearest with those that have it near. */
async function compareCells(
  { matrix }: RowsToGather,
  { query, places, probes, onPair }: Comparison,
): Promise<void> {
  const { threshold, signal, threads, against } = query;
  const changed = against === undefined ? undefined : new Set(against);
  /** A pair may meet in the cell of either row: it counts in the lower of those. */
  const meetsFirstIn = (cell: number, i: number, j: number): boolean => {
    const [a, b] = [places.cellOf(i, 0), places.cellOf(j, 0)];
    const inA = places.probesTo(j, a) <= probes ? a : b;
    const inB = places.probesTo(i, b) <= probes ? b : a;
    return cell === Math.min(inA, inB);
  };
  for (const [cell, { own, near }] of gather(places, probes).entries()) {
    const members = [...own, ...near];
    const take = (a: number, b: number, cosine: number): void => {
      const [i, j] = [members[a] ?? 0, members[b] ?? 0];
      if (changed !== undefined && !changed.has(i) && !changed.has(j)) return;
      if (meetsFirstIn(cell, i, j)) onPair(Math.min(i, j), Math.max(i, j), cosine);
    };
    const search = { threshold, signal, threads, against: [...own.keys()] };
    // One cell at a time: each takes all processors.
    await forEachExactPair(rowsOf(matrix, members), search, take);
  }
}

interface Cell {
  readonly own: number[];
  readonly near: number[];
}

function gather({ rows, cellOf }: Places, probes: number): readonly Cell[] {
  const cells: Cell[] = [];
  const cellAt = (index: number): Cell => {
    while (cells.length <= index) cells.push({ own: [], near: [] });
    return cells[index] ?? { own: [], near: [] };
  };
  for (const row of rows) {
    cellAt(cellOf(row, 0)).own.push(row);
    for (let probe = 1; probe < probes; probe++) cellAt(cellOf(row, probe)).near.push(row);
  }
  return cells;
}

function rowsOf({ data, dimensions }: VectorMatrix, members: readonly number[]): VectorMatrix {
  const gathered = new Float32Array(members.length * dimensions);
  for (const [at, row] of members.entries()) {
    gathered.set(data.subarray(row * dimensions, (row + 1) * dimensions), at * dimensions);
  }
  return { rows: members.length, dimensions, data: gathered };
}
