import { findSimilarPairs } from "../../src/similarity/all-pairs.ts";
import type { PairEngine } from "../../src/similarity/kernel/choose-engine.ts";
import { packRows } from "../../src/similarity/kernel/pack-rows.ts";
import { scanRows } from "../../src/similarity/kernel/scan-rows.ts";
import { rowLengths, type VectorMatrix } from "../../src/similarity/vectors.ts";

export interface KernelFigures {
  readonly rows: number;
  readonly pairs: number;
  readonly wallS: number;
  readonly cpuS: number;
  readonly naiveCpuOverKernelCpu: number;
  readonly gmacPerCpuS: number;
  readonly effectiveGmacPerCpuS: number;
}

/** The plain loop takes minutes on more, and grows with the number of pairs. */
const NAIVE_ROWS = 4000;
const SPEED_ROWS = 12_000;

/** The search for all pairs of the vectors, against the plain double loop of the same run. */
export async function measureKernel(
  matrix: VectorMatrix,
  threshold: number,
): Promise<KernelFigures> {
  // Compiles the kernel, as any second run would find it.
  await search(firstRows(matrix, NAIVE_ROWS), threshold, "inline");
  const kernel = await search(matrix, threshold, "threads");
  const sample = firstRows(matrix, NAIVE_ROWS);
  const naive = await search(sample, threshold, "naive");
  const naiveCpuS = (naive.cpuS * pairsOf(matrix.rows)) / pairsOf(sample.rows);
  return {
    rows: matrix.rows,
    pairs: kernel.pairs,
    wallS: kernel.wallS,
    cpuS: kernel.cpuS,
    naiveCpuOverKernelCpu: naiveCpuS / kernel.cpuS,
    gmacPerCpuS: await actualSpeed(firstRows(matrix, SPEED_ROWS)),
    effectiveGmacPerCpuS: multiplyAdds(matrix) / kernel.cpuS,
  };
}

async function search(matrix: VectorMatrix, threshold: number, engine: PairEngine) {
  let pairs = 0;
  const time = await timed(async () => {
    pairs = (await findSimilarPairs(matrix, { threshold, engine })).pairs.count;
  });
  return { ...time, pairs };
}

/** What the kernel really multiplies: one thread, no early exit, without packing and verification. */
async function actualSpeed(matrix: VectorMatrix): Promise<number> {
  const order = Uint32Array.from({ length: matrix.rows }, (_, row) => row);
  // At a threshold below zero no prefix ever pays; the scan then asks for more than any pair has.
  const packed = packRows({
    matrix,
    lengths: rowLengths(matrix),
    order,
    threshold: -0.5,
    outputs: 1,
  });
  const unreachable = { ...packed, threshold: 2 ** 31 - 1 };
  const { cpuS } = await timed(() =>
    scanRows(unreachable, { queryRows: matrix.rows, onStrip: () => {} }),
  );
  return multiplyAdds(matrix) / cpuS;
}

export async function timed(work: () => Promise<void>): Promise<{ wallS: number; cpuS: number }> {
  const [start, cpu] = [performance.now(), process.cpuUsage()];
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { wallS: (performance.now() - start) / 1000, cpuS: (user + system) / 1e6 };
}

export function firstRows(matrix: VectorMatrix, rows: number): VectorMatrix {
  return { ...matrix, rows: Math.min(rows, matrix.rows) };
}

function pairsOf(rows: number): number {
  return (rows * (rows - 1)) / 2;
}

/** In thousands of millions. */
function multiplyAdds({ rows, dimensions }: VectorMatrix): number {
  return (pairsOf(rows) * dimensions) / 1e9;
}
