import { STRIP_ROWS } from "./pack-rows.ts";

/** Pairs of packed rows that one strip of rows found: (row, column) alternating, in pieces. */
export interface StripHits {
  readonly strip: number;
  readonly pieces: readonly Int32Array[];
}

/** Takes strips as threads finish them and hands them on in order, one at a time. */
export interface StripOrder {
  add(hits: StripHits): void;
  /** Strips handed on so far. */
  readonly done: number;
}

/** `onStrip` gets the pairs of each strip sorted by row, then column. */
export function createStripOrder(onStrip: (hits: Int32Array) => void): StripOrder {
  const waiting = new Map<number, readonly Int32Array[]>();
  let done = 0;
  return {
    get done() {
      return done;
    },
    add({ strip, pieces }) {
      waiting.set(strip, pieces);
      for (let next = waiting.get(done); next !== undefined; next = waiting.get(done)) {
        waiting.delete(done);
        onStrip(sortByRow(next, done * STRIP_ROWS));
        done++;
      }
    },
  };
}

/** A counting sort by row suffices: the kernel goes from left to right, so a row's columns arrive ascending. */
function sortByRow(pieces: readonly Int32Array[], firstRow: number): Int32Array {
  const slots = firstSlots(pieces, firstRow);
  const sorted = new Int32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += 2) {
      const row = (piece[at] ?? 0) - firstRow;
      const slot = slots[row] ?? 0;
      slots[row] = slot + 2;
      sorted[slot] = piece[at] ?? 0;
      sorted[slot + 1] = piece[at + 1] ?? 0;
    }
  }
  return sorted;
}

/** Where in the sorted array each row of the strip begins. */
function firstSlots(pieces: readonly Int32Array[], firstRow: number): Uint32Array {
  const counts = new Uint32Array(STRIP_ROWS);
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; at += 2) {
      const row = (piece[at] ?? 0) - firstRow;
      counts[row] = (counts[row] ?? 0) + 2;
    }
  }
  let next = 0;
  return counts.map((count) => {
    next += count;
    return next - count;
  });
}
