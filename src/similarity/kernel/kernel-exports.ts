import { KERNEL_WASM } from "./kernel-wasm.ts";

/** What the WebAssembly module exports; addresses and sizes in bytes. */
export interface KernelExports {
  configure(base: number, panelBytes: number, headBytes: number, threshold: number): void;
  /**
   * Pairs of rows [a, aEnd) with rows [b, bEnd) above the diagonal, as (row, column) of int32 at `target`; returns the bytes
   * written. Where `nextRow()` is below bEnd the buffer was nearly full: call again from there.
   */
  scan(a: number, aEnd: number, b: number, bEnd: number, target: number, capacity: number): number;
  nextRow(): number;
}

/** Whether this host can run the kernel: it needs SIMD and shared memory, which WebAssembly hosts may lack or forbid. */
export function isKernelSupported(): boolean {
  return typeof SharedArrayBuffer === "function" && WebAssembly.validate(kernelBytes());
}

let compiled: WebAssembly.Module | undefined;

/** Compiled once a process, on first use. */
export function kernelModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(kernelBytes());
  return compiled;
}

function kernelBytes(): Uint8Array {
  return new Uint8Array(Buffer.from(KERNEL_WASM, "base64"));
}
