import { setImmediate } from "node:timers/promises";
import type { EntityIndex } from "./entity-index.ts";
import { createStrongestOthers, type ShortLists } from "./strongest-others.ts";

export interface Link {
  /** Rows of the index; the first has the smaller id. */
  readonly first: number;
  readonly second: number;
  readonly strength: number;
}

export interface LinkSearch {
  readonly index: EntityIndex;
  /** Links that each row may still get. */
  readonly room: readonly number[];
  readonly perMemory: number;
  readonly isCandidate: (row: number) => boolean;
  readonly areLinked: (first: number, second: number) => boolean;
  readonly signal: AbortSignal;
}

/** Rows between two looks at the signal. */
const ROWS_BETWEEN_PAUSES = 2000;

/**
 * New links, strongest first, no row above its room. Which pairs are considered (for each row, its strongest `2 · perMemory`) does not
 * depend on which are linked already: otherwise every run would dig a little deeper, and none would be the last.
 */
export async function findLinks(
  search: LinkSearch,
): Promise<{ readonly links: readonly Link[]; readonly refused: number }> {
  const size = search.index.memories.length;
  const isCandidate = Uint8Array.from({ length: size }, (_, row) =>
    Number(search.isCandidate(row)),
  );
  const limit = 2 * search.perMemory;
  const { lists, fill } = createStrongestOthers(search.index, { limit, isCandidate });
  for (let row = 0; row < size; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) {
      // One row after the other: the pause is what lets a signal arrive.
      await setImmediate();
      search.signal.throwIfAborted();
    }
    if ((search.room[row] ?? 0) > 0 && isCandidate[row] === 1) fill(row);
  }
  return takeStrongest(lists, search);
}

function takeStrongest(
  lists: ShortLists,
  { room: given, areLinked }: LinkSearch,
): { readonly links: readonly Link[]; readonly refused: number } {
  const room = [...given];
  const taken: Link[] = [];
  let refused = 0;
  for (const { strength, pairs } of strongestFirst(lists)) {
    for (const pair of pairs) {
      const [first, second] = [Math.floor(pair / room.length), pair % room.length];
      if (areLinked(first, second)) continue;
      const [roomOfFirst = 0, roomOfSecond = 0] = [room[first], room[second]];
      if (roomOfFirst <= 0 || roomOfSecond <= 0) {
        refused += 1;
        continue;
      }
      room[first] = roomOfFirst - 1;
      room[second] = roomOfSecond - 1;
      taken.push({ first, second, strength });
    }
  }
  return { links: taken, refused };
}

/** Pairs that are as strong as each other and share as many entities, by their ids: `first * rows + second`. */
interface EqualPairs {
  readonly strength: number;
  readonly shared: number;
  readonly pairs: Float64Array;
}

/**
 * All pairs, each once: strongest first, then those that share more, then by ids. Strengths are quotients of small numbers, so a million
 * pairs fall into a few hundred classes, and only numbers are sorted.
 */
function strongestFirst(lists: ShortLists): readonly EqualPairs[] {
  const { limit, filled, other, strength, shared } = lists;
  const classes = new Map<number, Map<number, number[]>>();
  for (let row = 0; row < filled.length; row++) {
    const end = row * limit + (filled[row] ?? 0);
    for (let slot = row * limit; slot < end; slot++) {
      if (isListedByLower(lists, row, slot)) continue;
      const neighbour = other[slot] ?? 0;
      // Rows are in order of ids.
      const pair = Math.min(row, neighbour) * filled.length + Math.max(row, neighbour);
      classOf(classes, strength[slot] ?? 0, shared[slot] ?? 0).push(pair);
    }
  }
  return [...classes]
    .flatMap(([strength, byShared]) =>
      [...byShared].map(([shared, pairs]) => ({
        strength,
        shared,
        pairs: new Float64Array(pairs).sort(),
      })),
    )
    .sort((a, b) => b.strength - a.strength || b.shared - a.shared);
}

function classOf(
  classes: Map<number, Map<number, number[]>>,
  strength: number,
  shared: number,
): number[] {
  const byShared = classes.get(strength) ?? new Map<number, number[]>();
  classes.set(strength, byShared);
  const pairs = byShared.get(shared) ?? [];
  byShared.set(shared, pairs);
  return pairs;
}

/** A pair that is in both lists is taken from the lower row's. */
function isListedByLower({ limit, filled, other }: ShortLists, row: number, slot: number): boolean {
  const neighbour = other[slot] ?? 0;
  if (neighbour > row) return false;
  const end = neighbour * limit + (filled[neighbour] ?? 0);
  for (let at = neighbour * limit; at < end; at++) if (other[at] === row) return true;
  return false;
}
