import { Worker } from "node:worker_threads";
import { kernelModule } from "./kernel-exports.ts";
import { OUTPUT_BYTES, type PackedRows, STRIP_ROWS } from "./pack-rows.ts";
import type { ScanOptions } from "./scan-rows.ts";
import { createStripOrder, type StripHits } from "./strip-hits.ts";

export interface ThreadScanOptions extends ScanOptions {
  readonly threads: number;
}

/**
 * What a thread runs. As text, because a file would have to be found and understood by the worker both from built
 * JavaScript and from TypeScript sources. `control` holds the next strip to take and the number of strips handed on; a
 * thread that is far ahead of the latter waits, so hits that wait for their turn stay few.
 */
const THREAD_SOURCE = `
const { parentPort, workerData } = require("node:worker_threads");
const { module, memory, control, ahead, strips, stripRows, paddedRows, output, outputBytes, configuration } = workerData;
const kernel = new WebAssembly.Instance(module, { host: { memory } }).exports;
kernel.configure(...configuration);
for (let strip = Atomics.add(control, 0, 1); strip < strips; strip = Atomics.add(control, 0, 1)) {
  for (let done = Atomics.load(control, 1); strip - done > ahead; done = Atomics.load(control, 1)) {
    Atomics.wait(control, 1, done);
  }
  const a = strip * stripRows;
  const aEnd = Math.min(paddedRows, a + stripRows);
  const pieces = [];
  for (let b = a; b < paddedRows; b = kernel.nextRow()) {
    const bytes = kernel.scan(a, aEnd, b, paddedRows, output, outputBytes);
    if (bytes > 0) pieces.push(new Int32Array(memory.buffer, output, bytes / 4).slice());
  }
  parentPort.postMessage({ strip, pieces }, pieces.map((piece) => piece.buffer));
}
`;

/** Strips that a thread may be ahead of the last one handed on. */
const STRIPS_AHEAD = 8;

/** Runs the kernel on worker threads over the one memory. All have ended when this settles, whatever the outcome. */
export async function scanRowsInThreads(
  packed: PackedRows,
  { queryRows, signal, onStrip, threads }: ThreadScanOptions,
): Promise<void> {
  signal?.throwIfAborted();
  const strips = Math.ceil(queryRows / STRIP_ROWS);
  if (strips === 0) return;
  const control = new Int32Array(new SharedArrayBuffer(8));
  const workers = Array.from({ length: threads }, (_, thread) =>
    startWorker(packed, { control, strips, ahead: STRIPS_AHEAD * threads, thread }),
  );
  try {
    await collectStrips(workers, { control, strips, signal, onStrip });
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}

interface ThreadShare {
  readonly control: Int32Array;
  readonly strips: number;
  readonly ahead: number;
  readonly thread: number;
}

function startWorker(packed: PackedRows, { control, strips, ahead, thread }: ThreadShare): Worker {
  const { memory, paddedRows, panelBytes, headBytes, threshold } = packed;
  return new Worker(THREAD_SOURCE, {
    eval: true,
    // Loaders of the host process (a TypeScript runner's, say) would only delay the thread.
    execArgv: [],
    workerData: {
      module: kernelModule(),
      memory,
      control,
      ahead,
      strips,
      stripRows: STRIP_ROWS,
      paddedRows,
      output: packed.outputStart + thread * OUTPUT_BYTES,
      outputBytes: OUTPUT_BYTES,
      configuration: [0, panelBytes, headBytes, threshold],
    },
  });
}

interface Collection {
  readonly control: Int32Array;
  readonly strips: number;
  readonly signal: AbortSignal | undefined;
  readonly onStrip: (hits: Int32Array) => void;
}

/** Settles with the last strip, the first failure of a thread or of `onStrip`, or the signal. */
function collectStrips(
  workers: readonly Worker[],
  { control, strips, signal, onStrip }: Collection,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const order = createStripOrder(onStrip);
    const onAbort = (): void => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
    const take = (hits: StripHits): void => {
      if (signal?.aborted) return;
      try {
        order.add(hits);
      } catch (error) {
        reject(error);
      }
      Atomics.store(control, 1, order.done);
      Atomics.notify(control, 1);
      if (order.done < strips) return;
      signal?.removeEventListener("abort", onAbort);
      resolve();
    };
    let running = workers.length;
    const leave = (): void => {
      running--;
      // Messages of a thread arrive before its end, so nothing more can come.
      if (running === 0) reject(new Error("similarity threads ended before their work"));
    };
    for (const worker of workers) worker.on("message", take).on("error", reject).on("exit", leave);
  });
}
