import { isKernelSupported } from "./kernel-exports.ts";
import { packedBytes, STRIP_ROWS } from "./pack-rows.ts";

/** `naive`: the plain loop; `inline`: the kernel on the calling thread; `threads`: on worker threads. */
export type PairEngine = "naive" | "inline" | "threads";

export interface SearchSize {
  readonly rows: number;
  /** Rows that are compared with all others. */
  readonly queryRows: number;
  readonly dimensions: number;
}

export interface EngineWishes {
  readonly engine?: PairEngine | undefined;
  readonly threads: number;
  /** @default what the host supports */
  readonly kernelSupported?: boolean;
}

export interface EngineChoice {
  readonly engine: PairEngine;
  readonly threads: number;
  readonly note?: string;
}

/** Multiply-adds below which packing costs more than it saves (about 10 ms of the plain loop). */
const NAIVE_WORK = 8_000_000;
/** Multiply-adds below which starting threads costs more than it saves (about 50 ms of the kernel). */
const INLINE_WORK = 2_000_000_000;
/** Addresses in WebAssembly have 32 bits. */
const MAX_MEMORY_BYTES = 2 ** 32;

export function chooseEngine(size: SearchSize, wishes: EngineWishes): EngineChoice {
  const threads = Math.max(1, Math.min(wishes.threads, Math.ceil(size.queryRows / STRIP_ROWS)));
  const engine = wishes.engine ?? engineBySize(size, threads);
  if (engine === "naive") return { engine, threads: 1 };
  if (!(wishes.kernelSupported ?? isKernelSupported())) {
    return slow("this host offers no WebAssembly SIMD or no shared memory");
  }
  if (packedBytes(size.rows, size.dimensions, threads) > MAX_MEMORY_BYTES) {
    return slow(
      `${size.rows} vectors of ${size.dimensions} dimensions do not fit the fast search's 4 GiB`,
    );
  }
  if (engine === "threads") return { engine, threads };
  const note = wishes.threads === 1 && workOf(size) >= INLINE_WORK ? { note: ONE_THREAD } : {};
  return { engine, threads: 1, ...note };
}

const ONE_THREAD =
  "Similar pairs are searched for on one thread: this host offers no second processor.";

function workOf({ rows, queryRows, dimensions }: SearchSize): number {
  return queryRows * (rows - queryRows / 2) * dimensions;
}

function engineBySize(size: SearchSize, threads: number): PairEngine {
  const work = workOf(size);
  if (work < NAIVE_WORK) return "naive";
  return work < INLINE_WORK || threads === 1 ? "inline" : "threads";
}

function slow(why: string): EngineChoice {
  return {
    engine: "naive",
    threads: 1,
    note: `Similar pairs are searched for slowly, about 50 times slower than usual: ${why}.`,
  };
}
