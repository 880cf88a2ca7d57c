import type { VectorMatrix } from "../vectors.ts";
import { choosePrefix } from "./choose-prefix.ts";
import { layoutRows, NORMS, type RowLayout } from "./row-layout.ts";
import { type UnitRows, unitRows } from "./unit-rows.ts";

/** Rows in the kernel's memory, and what it must be told about them. */
export interface PackedRows {
  readonly memory: WebAssembly.Memory;
  /** Original row of each packed row; padding follows. */
  readonly order: Uint32Array;
  readonly paddedRows: number;
  readonly panelBytes: number;
  readonly headBytes: number;
  /** Lowest integer dot product that a pair at the threshold can have. */
  readonly threshold: number;
  /** Where the output buffers begin, one after the other, `OUTPUT_BYTES` each. */
  readonly outputStart: number;
}

export interface PackOptions {
  readonly matrix: VectorMatrix;
  readonly lengths: Float64Array;
  /** Rows to pack, in this order; none may be zero. */
  readonly order: Uint32Array;
  readonly threshold: number;
  /** Output buffers to reserve. */
  readonly outputs: number;
}

export const PANEL_ROWS = 8;
/** Rows that one strip of work takes together: with their partners' prefixes they fit the second-level cache. */
export const STRIP_ROWS = 256;
/** Twice what a strip can find in one column block, so that the kernel always has room to go on. */
export const OUTPUT_BYTES: number = 2 * STRIP_ROWS * 64 * 8;

/**
 * 1.0 as an integer. Norms, rounded up, still fit int16, and sums of products stay below 2³⁰: by Cauchy-Schwarz every
 * partial sum of a unit vector's products does.
 */
const SCALE = 32_000;
/** For the float64 arithmetic around the integers; its true error is below 1e-12. */
const SLACK = 1e-9;
const PAGE_BYTES = 65_536;

/** Bytes that `packRows` would need at most. */
export function packedBytes(rows: number, dimensions: number, outputs: number): number {
  return (rows + PANEL_ROWS) * 2 * (dimensions + NORMS + 16) + outputs * OUTPUT_BYTES + PAGE_BYTES;
}

/**
 * Quantises unit rows to int16 and lays them out for the kernel. With r the length of what rounding took from a row, the
 * integer dot product differs from the cosine by at most r1 + r2 + r1·r2 (Cauchy-Schwarz), so a threshold lowered by that
 * bound for the largest r loses no pair.
 */
export function packRows({ matrix, lengths, order, threshold, outputs }: PackOptions): PackedRows {
  const source = unitRows(matrix, lengths, order);
  const layout = layoutRows(matrix.dimensions, choosePrefix(source, order, threshold));
  const paddedRows = Math.ceil(order.length / PANEL_ROWS) * PANEL_ROWS;
  const panelBytes = layout.width * PANEL_ROWS * 2;
  const outputStart = (paddedRows / PANEL_ROWS) * panelBytes;
  const pages = Math.ceil((outputStart + outputs * OUTPUT_BYTES) / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
  const target = new Int16Array(memory.buffer, 0, outputStart / 2);
  const residual = writePanels(target, { source, layout, order });
  const error = 2 * residual + residual * residual + SLACK;
  return {
    memory,
    order,
    paddedRows,
    panelBytes,
    headBytes: layout.head * PANEL_ROWS * 2,
    threshold: Math.floor((threshold - error) * SCALE * SCALE),
    outputStart,
  };
}

interface PanelSource {
  readonly source: UnitRows;
  readonly layout: RowLayout;
  readonly order: Uint32Array;
}

/** Returns the largest residual length of a row. */
function writePanels(target: Int16Array, { source, layout, order }: PanelSource): number {
  const unit = new Float64Array(layout.dimensions);
  const packed = new Int16Array(layout.width);
  let largest = 0;
  for (let at = 0; at < order.length; at++) {
    source.read(order[at] ?? 0, unit);
    largest = Math.max(largest, quantize(unit, packed, layout));
    writeNorms(packed, layout);
    const start = Math.floor(at / PANEL_ROWS) * PANEL_ROWS * layout.width + (at % PANEL_ROWS) * 2;
    for (let k = 0; k < layout.width; k += 2) {
      target[start + k * PANEL_ROWS] = packed[k] ?? 0;
      target[start + k * PANEL_ROWS + 1] = packed[k + 1] ?? 0;
    }
  }
  return Math.sqrt(largest);
}

/** Returns the squared length of what rounding took away. */
function quantize(unit: Float64Array, packed: Int16Array, { prefix, head }: RowLayout): number {
  const shift = head - prefix;
  let lost = 0;
  for (let k = 0; k < unit.length; k++) {
    const exact = (unit[k] ?? 0) * SCALE;
    const rounded = Math.round(exact);
    packed[k < prefix ? k : k + shift] = rounded;
    lost += (exact - rounded) ** 2;
  }
  return lost / (SCALE * SCALE);
}

/** Norms of the rounded integers, rounded up: the bound then holds exactly in integers. */
function writeNorms(packed: Int16Array, { prefix, head, part, width }: RowLayout): void {
  if (head === 0) return;
  for (let n = 0; n < NORMS; n++) {
    let squares = 0;
    const end = Math.min(width, head + (n + 1) * part);
    for (let k = head + n * part; k < end; k++) squares += (packed[k] ?? 0) ** 2;
    packed[prefix + n] = Math.ceil(Math.sqrt(squares));
  }
}
