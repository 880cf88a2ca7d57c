import { setImmediate } from "node:timers/promises";
import type { EntityIndex } from "./entity-index.ts";
import { createStrengths } from "./link-strength.ts";

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
  const lists = createShortLists(search.index, 2 * search.perMemory);
  for (let row = 0; row < size; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) {
      // One row after the other: the pause is what lets a signal arrive.
      await setImmediate();
      search.signal.throwIfAborted();
    }
    if ((search.room[row] ?? 0) > 0 && search.isCandidate(row)) lists.fill(row, search.isCandidate);
  }
  return takeStrongest(lists, search);
}

/** For each row the strongest others, in columns of `limit` slots a row. */
interface ShortLists {
  readonly limit: number;
  readonly filled: Uint32Array;
  readonly other: Uint32Array;
  readonly strength: Float64Array;
  readonly shared: Uint32Array;
  fill(row: number, isCandidate: (row: number) => boolean): void;
}

function createShortLists(index: EntityIndex, limit: number): ShortLists {
  const size = index.memories.length;
  const filled = new Uint32Array(size);
  const other = new Uint32Array(size * limit);
  const strength = new Float64Array(size * limit);
  const shared = new Uint32Array(size * limit);
  const strengths = createStrengths(index);
  // Zero before and after every row: a fresh map for each would take most of the time.
  const counts = new Uint32Array(size);
  const met = new Uint32Array(size);

  /** Of equals those with the lower ids: with one row the same, that is the lower other. */
  const goesBefore = (candidate: number, value: number, slot: number): boolean => {
    const sharedCount = counts[candidate] ?? 0;
    const difference = value - (strength[slot] ?? 0) || sharedCount - (shared[slot] ?? 0);
    return difference === 0 ? candidate < (other[slot] ?? 0) : difference > 0;
  };
  const set = (slot: number, candidate: number, value: number, sharedCount: number): void => {
    other[slot] = candidate;
    strength[slot] = value;
    shared[slot] = sharedCount;
  };
  const insert = (start: number, from: number, candidate: number, value: number): void => {
    let slot = from;
    for (; slot > start && goesBefore(candidate, value, slot - 1); slot -= 1) {
      set(slot, other[slot - 1] ?? 0, strength[slot - 1] ?? 0, shared[slot - 1] ?? 0);
    }
    set(slot, candidate, value, counts[candidate] ?? 0);
  };
  /** An entity may have thousands of holders: nearly all are turned away by one comparison. */
  const offer = (row: number, candidate: number, value: number): void => {
    const [start, count] = [row * limit, filled[row] ?? 0];
    const last = start + limit - 1;
    if (count === limit) {
      if (goesBefore(candidate, value, last)) insert(start, last, candidate, value);
      return;
    }
    insert(start, start + count, candidate, value);
    filled[row] = count + 1;
  };
  const isTooWeak = (row: number, value: number): boolean =>
    filled[row] === limit && value < (strength[row * limit + limit - 1] ?? 0);
  const fill = (row: number, isCandidate: (row: number) => boolean): void => {
    const found = countShared(row, index, { counts, met });
    const strengthTo = strengths(row);
    const consider = (candidate: number): void => {
      if (candidate === row || !isCandidate(candidate)) return;
      const value = strengthTo(candidate, counts[candidate] ?? 0);
      if (!isTooWeak(row, value)) offer(row, candidate, value);
    };
    for (let at = 0; at < found; at++) {
      const candidate = met[at] ?? 0;
      consider(candidate);
      counts[candidate] = 0;
    }
  };
  return { limit, filled, other, strength, shared, fill };
}

/** Counts by row how many linking entities it shares with this one, and writes down the rows that share any; says how many. */
function countShared(
  row: number,
  index: EntityIndex,
  { counts, met }: { readonly counts: Uint32Array; readonly met: Uint32Array },
): number {
  let found = 0;
  for (const entity of index.entities[row] ?? []) {
    const holders = index.holders[entity] ?? [];
    for (let at = 0; at < holders.length; at++) {
      const other = holders[at] ?? 0;
      const count = counts[other] ?? 0;
      if (count === 0) met[found++] = other;
      counts[other] = count + 1;
    }
  }
  return found;
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
  for (const [row, length] of filled.entries()) {
    for (let slot = row * limit; slot < row * limit + length; slot++) {
      if (isListedByLower(lists, row, slot)) continue;
      const neighbour = other[slot] ?? 0;
      // Rows are in order of ids.
      const [first, second] = row < neighbour ? [row, neighbour] : [neighbour, row];
      classOf(classes, strength[slot] ?? 0, shared[slot] ?? 0).push(first * filled.length + second);
    }
  }
  return [...classes]
    .flatMap(([strength, byShared]) =>
      [...byShared].map(([shared, pairs]) => ({
        strength,
        shared,
        pairs: Float64Array.from(pairs).sort(),
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
  const start = neighbour * limit;
  return other.subarray(start, start + (filled[neighbour] ?? 0)).includes(row);
}
