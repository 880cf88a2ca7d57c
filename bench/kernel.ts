/**
 * The all-pairs kernel against the plain double loop, in processor seconds of all threads:
 *
 *     npx tsx bench/kernel.ts [--size 20000] [--dimensions 256] [--threshold 0.83] [--json]
 *
 * "orthogonal" are random directions with some near-copies, "clustered" are topics whose members are alike at about 0.45.
 * The plain loop runs on at most 4,000 rows and is scaled by the number of pairs.
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { findSimilarPairs } from "../src/similarity/all-pairs.ts";
import type { PairEngine } from "../src/similarity/kernel/choose-engine.ts";
import { packRows } from "../src/similarity/kernel/pack-rows.ts";
import { scanRows } from "../src/similarity/kernel/scan-rows.ts";
import { rowLengths, type VectorMatrix } from "../src/similarity/vectors.ts";
import { createRandom } from "./speed/random.ts";

const NAIVE_ROWS = 4000;

interface Measure {
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
  readonly pairs: number;
}

interface KernelResult {
  readonly data: string;
  readonly size: number;
  readonly dimensions: number;
  readonly threshold: number;
  readonly threads: number;
  readonly pairs: number;
  readonly kernelCpuSeconds: number;
  readonly kernelWallSeconds: number;
  readonly naiveCpuSeconds: number;
  /** Naive over kernel, in processor seconds. */
  readonly timesFewer: number;
  /** Multiply-adds of all pairs over the processor seconds, packing and verification included. */
  readonly effectiveGmacPerCpuSecond: number;
  /** What the kernel really multiplies: one thread, no early exit, without packing and verification. */
  readonly actualGmacPerCpuSecond: number;
}

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "20000" },
    dimensions: { type: "string", default: "256" },
    threshold: { type: "string", default: "0.83" },
    json: { type: "boolean", default: false },
  },
});
const size = Number(values.size);
const dimensions = Number(values.dimensions);
const threshold = Number(values.threshold);

const results: KernelResult[] = [];
// One after the other: they compete for the same processors.
for (const data of ["orthogonal", "clustered"] as const) results.push(await compare(data));
if (values.json) console.log(JSON.stringify({ version: 1, results }));
else for (const result of results) console.log(describe(result));

async function compare(data: "orthogonal" | "clustered"): Promise<KernelResult> {
  const matrix = generate(data === "clustered");
  // Compiles the kernel, as any second run would find it.
  await search(firstRows(matrix, 4000), "inline");
  const kernel = await search(matrix, "threads");
  const sample = firstRows(matrix, NAIVE_ROWS);
  const naive = await search(sample, "naive");
  const naiveCpuSeconds = (naive.cpuSeconds * pairsOf(matrix.rows)) / pairsOf(sample.rows);
  return {
    data,
    size,
    dimensions,
    threshold,
    threads: availableParallelism(),
    pairs: kernel.pairs,
    kernelCpuSeconds: kernel.cpuSeconds,
    kernelWallSeconds: kernel.wallSeconds,
    naiveCpuSeconds,
    timesFewer: naiveCpuSeconds / kernel.cpuSeconds,
    effectiveGmacPerCpuSecond: (pairsOf(size) * dimensions) / 1e9 / kernel.cpuSeconds,
    actualGmacPerCpuSecond: await actualSpeed(firstRows(matrix, 12_000)),
  };
}

async function search(matrix: VectorMatrix, engine: PairEngine): Promise<Measure> {
  let pairs = 0;
  const time = await measure(async () => {
    pairs = (await findSimilarPairs(matrix, { threshold, engine })).pairs.count;
  });
  return { ...time, pairs };
}

async function actualSpeed(matrix: VectorMatrix): Promise<number> {
  const order = Uint32Array.from({ length: matrix.rows }, (_, row) => row);
  const lengths = rowLengths(matrix);
  // At a threshold below zero no prefix ever pays; the scan then asks for more than any pair has.
  const packed = packRows({ matrix, lengths, order, threshold: -0.5, outputs: 1 });
  const unreachable = { ...packed, threshold: 2 ** 31 - 1 };
  const { cpuSeconds } = await measure(() =>
    scanRows(unreachable, { queryRows: matrix.rows, onStrip: () => {} }),
  );
  return (pairsOf(matrix.rows) * dimensions) / 1e9 / cpuSeconds;
}

async function measure(run: () => Promise<void>): Promise<Omit<Measure, "pairs">> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  await run();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuSeconds: (user + system) / 1e6, wallSeconds: (performance.now() - start) / 1000 };
}

function pairsOf(rows: number): number {
  return (rows * (rows - 1)) / 2;
}

function firstRows(matrix: VectorMatrix, rows: number): VectorMatrix {
  return { ...matrix, rows: Math.min(rows, matrix.rows) };
}

/** Random unit rows, one in eight of them close to an earlier one (0.78 to 0.99), the others near a topic if wanted. */
function generate(topics: boolean): VectorMatrix {
  const random = createRandom(7);
  const data = new Float32Array(size * dimensions);
  const centres = Array.from({ length: Math.max(20, size / 200) }, () => gaussian(random));
  for (let row = 0; row < size; row++) {
    const target = data.subarray(row * dimensions, (row + 1) * dimensions);
    target.set(gaussian(random));
    const earlier = Math.floor(random() * row) * dimensions;
    const centre = centres[Math.floor(random() * centres.length)];
    if (row > 0 && random() < 0.12)
      pull(target, data.subarray(earlier, earlier + dimensions), 0.78 + 0.21 * random());
    else if (topics && centre !== undefined) pull(target, centre, 0.6 + 0.15 * random());
  }
  return { rows: size, dimensions, data };
}

/** Turns a unit row towards another one, in place. */
function pull(row: Float32Array, towards: Float32Array, cosine: number): void {
  const rest = Math.sqrt(1 - cosine * cosine);
  for (let k = 0; k < row.length; k++) row[k] = cosine * (towards[k] ?? 0) + rest * (row[k] ?? 0);
  normalize(row);
}

function gaussian(random: () => number): Float32Array {
  const row = Float32Array.from({ length: dimensions }, () => {
    return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  });
  normalize(row);
  return row;
}

function normalize(row: Float32Array): void {
  const length = Math.sqrt(row.reduce((sum, x) => sum + x * x, 0));
  for (let k = 0; k < row.length; k++) row[k] = (row[k] ?? 0) / length;
}

function describe(result: KernelResult): string {
  const n = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
  return [
    `${result.data}: ${result.size} rows x ${result.dimensions}, cosine >= ${result.threshold}: ${result.pairs} pairs`,
    `  kernel ${n(result.kernelCpuSeconds)} CPU s (${n(result.kernelWallSeconds)} s on ${result.threads} threads)`,
    `  plain loop ${n(result.naiveCpuSeconds)} CPU s, scaled: ${n(result.timesFewer)} times as many`,
    `  ${n(result.effectiveGmacPerCpuSecond)} GMAC/CPU s effective, ${n(result.actualGmacPerCpuSecond)} without early exit`,
  ].join("\n");
}
