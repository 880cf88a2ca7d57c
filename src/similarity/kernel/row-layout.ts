/**
 * Where a row's values lie: `prefix` dimensions, `NORMS` norms of equal parts of what follows, then the rest. Without
 * a prefix there are no norms either. All parts are multiples of eight, as the kernel's loops take eight at a time.
 */
export interface RowLayout {
  readonly dimensions: number;
  readonly prefix: number;
  /** Values of a row with norms and padding. */
  readonly width: number;
  /** Values before the rest: prefix and norms. */
  readonly head: number;
  /** Dimensions in each part that has a norm of its own. */
  readonly part: number;
}

export const NORMS = 8;

export function layoutRows(dimensions: number, prefix: number): RowLayout {
  const rest = Math.ceil((dimensions - prefix) / 8) * 8;
  const head = prefix === 0 ? 0 : prefix + NORMS;
  return {
    dimensions,
    prefix,
    head,
    width: head + rest,
    part: Math.ceil((dimensions - prefix) / NORMS),
  };
}
