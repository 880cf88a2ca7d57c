import { setImmediate } from "node:timers/promises";
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
  const counts = new Uint32Array(size);
  for (let row = 0; row < size; row++) {
    if (row % ROWS_BETWEEN_PAUSES === 0) {
      // One row after the other: the pause is what lets a signal arrive.
      await setImmediate();
      search.signal.throwIfAborted();
    }
    if ((search.room[row] ?? 0) <= 0 || !search.isCandidate(row)) continue;
    for (const link of strongestOf(row, search, counts))
      pool.set(link.first * size + link.second, link);
  }
  return takeStrongest([...pool.values()].sort(compareLinks), search);
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

/** `counts`, one for each row, are zero before and after: a fresh map for every row would take most of the time. */
function strongestOf(row: number, search: LinkSearch, counts: Uint32Array): readonly Link[] {
  const { index, perMemory, isCandidate } = search;
  const limit = 2 * perMemory;
  const kept = createShortList(limit);
  const strengthTo = strengthsOf(row, index);
  for (const other of countShared(row, index, counts)) {
    const sharedCount = counts[other] ?? 0;
    counts[other] = 0;
    if (other === row || !isCandidate(other)) continue;
    const strength = strengthTo(other, sharedCount);
    if (kept.isTooWeak(strength)) continue;
    // Rows are in order of ids.
    const [first, second] = row < other ? [row, other] : [other, row];
    kept.offer({ first, second, sharedCount, strength });
  }
  return kept.links;
}

/** Keeps the strongest in order. An entity may have thousands of holders: nearly all are turned away by one comparison. */
function createShortList(limit: number) {
  const links: Link[] = [];
  const weakest = (): Link | undefined => (links.length < limit ? undefined : links[limit - 1]);
  return {
    links,
    isTooWeak: (strength: number): boolean => strength < (weakest()?.strength ?? strength),
    offer: (link: Link): void => {
      const last = weakest();
      if (last !== undefined && compareLinks(link, last) > 0) return;
      if (last !== undefined) links.pop();
      insert(links, link);
    },
  };
}

function insert(links: Link[], link: Link): void {
  let at = links.length;
  for (let before = links[at - 1]; before && compareLinks(before, link) > 0; ) {
    links[at] = before;
    at -= 1;
    before = links[at - 1];
  }
  links[at] = link;
}

/** Counts by row how many linking entities it shares with this one; gives the rows that share any. */
function countShared(row: number, index: EntityIndex, counts: Uint32Array): readonly number[] {
  const others: number[] = [];
  for (const entity of index.entities[row] ?? []) {
    for (const other of index.holders[entity] ?? []) {
      const count = counts[other] ?? 0;
      if (count === 0) others.push(other);
      counts[other] = count + 1;
    }
  }
  return others;
}

/** How strongly a row is tied to others. In a large store it is asked a thousand times a row, so what is the row's own is looked up once. */
function strengthsOf(
  row: number,
  { entities, entityCounts, hubCounts, tags }: EntityIndex,
): (other: number, sharedCount: number) => number {
  const [ownEntities, ownTags] = [entities[row] ?? [], tags[row] ?? []];
  const [count, hasHubs, hasTags] = [ownEntities.length, hubCounts[row] !== 0, ownTags.length > 0];
  return (other, sharedCount) => {
    // Where one of them holds no hub, all that they share has been counted.
    const likeness =
      hasHubs && hubCounts[other] !== 0
        ? jaccard(ownEntities, entities[other] ?? [])
        : sharedCount / (count + (entityCounts[other] ?? 0) - sharedCount);
    return 0.7 * likeness + 0.3 * (hasTags ? jaccard(ownTags, tags[other] ?? []) : 0);
  };
}

/** Strongest first, then those that share more, then by ids: rows are in their order. */
function compareLinks(a: Link, b: Link): number {
  return (
    b.strength - a.strength ||
    b.sharedCount - a.sharedCount ||
    a.first - b.first ||
    a.second - b.second
  );
}
