import { layoutRows, NORMS } from "./row-layout.ts";
import type { UnitRows } from "./unit-rows.ts";

/** Row samples: groups of eight neighbours, as the kernel compares them. */
const GROUPS = 24;
const GROUP_ROWS = 8;
const BLOCK_ROWS = 4;
/** Price of a look at the sums, in dimensions. */
const CHECK_COST = 6;

/**
 * The number of leading dimensions after which looking at the upper bound pays best, judged on sampled blocks; 0 where
 * it never pays. Decides speed alone; the same rows always give the same answer.
 */
export function choosePrefix(source: UnitRows, rows: Uint32Array, threshold: number): number {
  const { dimensions } = source;
  const groups = sampleGroups(source, rows);
  let best = { prefix: 0, cost: dimensions };
  for (let prefix = 16; prefix <= dimensions - 32; prefix += 16) {
    const head = prefix + NORMS + CHECK_COST;
    if (head >= best.cost) break;
    const cost =
      head + survivingShare(groups, { dimensions, prefix, threshold }) * (dimensions - prefix);
    if (cost < best.cost) best = { prefix, cost };
  }
  return best.prefix;
}

type Group = readonly Float64Array[];

function sampleGroups(source: UnitRows, rows: Uint32Array): readonly Group[] {
  const count = Math.min(GROUPS, Math.floor(rows.length / GROUP_ROWS));
  return Array.from({ length: count }, (_, g) => {
    const start = Math.floor((g * (rows.length - GROUP_ROWS)) / Math.max(1, count - 1));
    return Array.from({ length: GROUP_ROWS }, (_, r) => {
      const values = new Float64Array(source.dimensions);
      source.read(rows[start + r] ?? 0, values);
      return values;
    });
  });
}

interface Cut {
  readonly dimensions: number;
  readonly prefix: number;
  readonly threshold: number;
}

/** Share of 4 x 8 blocks of different groups in which some pair's bound reaches the threshold. */
function survivingShare(groups: readonly Group[], cut: Cut): number {
  const bounded = groups.map((group) => group.map((row) => boundVector(row, cut)));
  let blocks = 0;
  let surviving = 0;
  for (const [g, columns] of bounded.entries()) {
    for (const rows of bounded.slice(g + 1)) {
      blocks++;
      if (reaches(rows.slice(0, BLOCK_ROWS), columns, cut.threshold)) surviving++;
    }
  }
  return blocks === 0 ? 1 : surviving / blocks;
}

/** Prefix and norms: the dot product of two such vectors is the bound. */
function boundVector(row: Float64Array, { dimensions, prefix }: Cut): Float64Array {
  const { part } = layoutRows(dimensions, prefix);
  const vector = new Float64Array(prefix + NORMS);
  vector.set(row.subarray(0, prefix));
  for (let n = 0; n < NORMS; n++) {
    const values = row.subarray(prefix + n * part, Math.min(dimensions, prefix + (n + 1) * part));
    vector[prefix + n] = Math.sqrt(values.reduce((sum, x) => sum + x * x, 0));
  }
  return vector;
}

function reaches(rows: Group, columns: Group, threshold: number): boolean {
  return rows.some((a) => columns.some((b) => dotOf(a, b) >= threshold));
}

function dotOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += (a[k] ?? 0) * (b[k] ?? 0);
  return sum;
}
