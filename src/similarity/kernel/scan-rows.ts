import { setImmediate } from "node:timers/promises";
import { type KernelExports, kernelModule } from "./kernel-exports.ts";
import { OUTPUT_BYTES, type PackedRows, STRIP_ROWS } from "./pack-rows.ts";
import { createStripOrder } from "./strip-hits.ts";

export interface ScanOptions {
  /** Rows below this one are compared with all rows, in whole strips: hits may begin at later rows of the last strip. */
  readonly queryRows: number;
  readonly signal?: AbortSignal | undefined;
  /** Called for every strip, in order, with (row, column) alternating, sorted, row below column. */
  readonly onStrip: (hits: Int32Array) => void;
}

/** Runs the kernel on the calling thread, with a pause after each strip. */
export async function scanRows(packed: PackedRows, options: ScanOptions): Promise<void> {
  const { queryRows, signal, onStrip } = options;
  const kernel = instantiate(packed);
  const order = createStripOrder(onStrip);
  for (let strip = 0; strip * STRIP_ROWS < queryRows; strip++) {
    signal?.throwIfAborted();
    order.add({ strip, pieces: scanStrip(kernel, packed, strip) });
    // Strips come one after the other: the pause is what lets a signal arrive.
    await setImmediate();
  }
}

function instantiate({ memory, panelBytes, headBytes, threshold }: PackedRows): KernelExports {
  const instance = new WebAssembly.Instance(kernelModule(), { host: { memory } });
  // scripts/build-kernel.ts generates the module with exactly these exports.
  const kernel = instance.exports as KernelExports;
  kernel.configure(0, panelBytes, headBytes, threshold);
  return kernel;
}

/** `THREAD_SOURCE` says the same in plain JavaScript. */
function scanStrip(
  kernel: KernelExports,
  packed: PackedRows,
  strip: number,
): readonly Int32Array[] {
  const { memory, paddedRows, outputStart } = packed;
  const a = strip * STRIP_ROWS;
  const aEnd = Math.min(paddedRows, a + STRIP_ROWS);
  const pieces: Int32Array[] = [];
  for (let b = a; b < paddedRows; b = kernel.nextRow()) {
    const bytes = kernel.scan(a, aEnd, b, paddedRows, outputStart, OUTPUT_BYTES);
    if (bytes > 0) pieces.push(new Int32Array(memory.buffer, outputStart, bytes / 4).slice());
  }
  return pieces;
}
