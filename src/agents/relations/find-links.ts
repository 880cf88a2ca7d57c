import { setImmediate } from "node:timers/promises";
import { compareIds } from "../work-items.ts";
import { type EntityIndex, jaccard } from "./entity-index.ts";

export interface Link {
  /** Rows of the index; the first has the smaller id. */
  readonly first: number;
  readonly second: number;
  readonly strength: number;
  /** How many linking entities both hold. */
  readonly sharedCount: number;
}

export interface LinkSearch {
  readonly index: EntityIndex;
  /** Links that each row may still get. */
  readonly room: number[];
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
  const pool = new Map<number, Link>();
  const size = search.index.memories.length;
  for (let row = 0; row < size; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) {
      // One row after the other: the pause is what lets a signal arrive.
      await setImmediate();
      search.signal.throwIfAborted();
    }
    if ((search.room[row] ?? 0) <= 0 || !search.isCandidate(row)) continue;
    for (const link of strongestOf(row, search)) pool.set(link.first * size + link.second, link);
  }
  return takeStrongest([...pool.values()].sort(compareLinks(search.index)), search);
}

function takeStrongest(
  links: readonly Link[],
  { room, areLinked }: LinkSearch,
): { readonly links: readonly Link[]; readonly refused: number } {
  const taken: Link[] = [];
  let refused = 0;
  for (const link of links) {
    const { first, second } = link;
    if (areLinked(first, second)) continue;
    const [roomOfFirst = 0, roomOfSecond = 0] = [room[first], room[second]];
    if (roomOfFirst <= 0 || roomOfSecond <= 0) {
      refused += 1;
      continue;
    }
    room[first] = roomOfFirst - 1;
    room[second] = roomOfSecond - 1;
    taken.push(link);
  }
  return { links: taken, refused };
}

function strongestOf(row: number, search: LinkSearch): readonly Link[] {
  const { index, perMemory, isCandidate } = search;
  const limit = 2 * perMemory;
  const compare = compareLinks(index);
  let links: Link[] = [];
  for (const [other, sharedCount] of countShared(row, index)) {
    if (!isCandidate(other)) continue;
    links.push(linkOf({ row, other, sharedCount, index }));
    // Kept short on the way: an entity may have thousands of holders.
    if (links.length >= 8 * limit) links = links.sort(compare).slice(0, limit);
  }
  return links.sort(compare).slice(0, limit);
}

/** By other row: how many linking entities both hold. */
function countShared(row: number, index: EntityIndex): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const entity of index.entities[row] ?? []) {
    for (const other of index.holders[entity] ?? []) {
      counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  }
  counts.delete(row);
  return counts;
}

function linkOf(pair: {
  readonly row: number;
  readonly other: number;
  readonly sharedCount: number;
  readonly index: EntityIndex;
}): Link {
  const { row, other, sharedCount, index } = pair;
  // Rows are in order of ids.
  const [first, second] = row < other ? [row, other] : [other, row];
  const entities = jaccard(index.entities[first] ?? [], index.entities[second] ?? []);
  const tags = jaccard(index.tags[first] ?? [], index.tags[second] ?? []);
  return { first, second, sharedCount, strength: 0.7 * entities + 0.3 * tags };
}

function compareLinks({ memories }: EntityIndex): (a: Link, b: Link) => number {
  const idAt = (row: number): string => memories[row]?.id ?? "";
  return (a, b) =>
    b.strength - a.strength ||
    b.sharedCount - a.sharedCount ||
    compareIds(idAt(a.first), idAt(b.first)) ||
    compareIds(idAt(a.second), idAt(b.second));
}
