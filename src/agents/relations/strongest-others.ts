import type { EntityIndex } from "./entity-index.ts";
import { countCommon, forEachItem, lengthOf } from "./flat-lists.ts";
import { greatestStrength, strengthOf } from "./link-strength.ts";
import { indexPairs } from "./pair-index.ts";

/** For each row its strongest others, in columns of `limit` slots a row. */
export interface ShortLists {
  readonly limit: number;
  readonly filled: Uint32Array;
  readonly other: Uint32Array;
  readonly strength: Float64Array;
  /** Linking entities in common. */
  readonly shared: Uint32Array;
}

/**
 * Finds a row's strongest others without looking at all who share an entity with it, of which a large store has thousands. Those that share
 * two or more are found by pairs of entities. Of the rest, which share one, the strongest are those with the fewest entities: the holders
 * of each are walked in that order, until no more can be strong enough.
 */
export function createStrongestOthers(
  index: EntityIndex,
  { limit, isCandidate }: { readonly limit: number; readonly isCandidate: Uint8Array },
): { readonly lists: ShortLists; readonly fill: (row: number) => void } {
  const { entities, linking, holders } = index;
  const size = index.memories.length;
  const lists = emptyLists(size, limit);
  const forEachSharingTwo = indexPairs(index);
  // For which row each was looked at last, plus one: so nothing has to be put back between two rows.
  const lookedAtFor = new Uint32Array(size);
  const consider = (row: number, other: number): void => {
    if (lookedAtFor[other] === row + 1) return;
    lookedAtFor[other] = row + 1;
    if (other === row || isCandidate[other] !== 1) return;
    const shared = countCommon(linking, row, other);
    offer(lists, row, { other, shared, strength: strengthOf(index, row, other) });
  };
  const fill = (row: number): void => {
    forEachSharingTwo(row, consider);
    const greatest = greatestStrength(index, row);
    forEachItem(linking, row, (entity) => {
      const end = holders.starts[entity + 1] ?? 0;
      for (let at = holders.starts[entity] ?? 0; at < end; at++) {
        const other = holders.items[at] ?? 0;
        if (isTooWeak(lists, row, { other, strength: greatest(lengthOf(entities, other)) })) return;
        consider(row, other);
      }
    });
  };
  return { lists, fill };
}

function emptyLists(size: number, limit: number): ShortLists {
  return {
    limit,
    filled: new Uint32Array(size),
    other: new Uint32Array(size * limit),
    strength: new Float64Array(size * limit),
    shared: new Uint32Array(size * limit),
  };
}

interface Other {
  readonly other: number;
  readonly strength: number;
  readonly shared: number;
}

function offer(lists: ShortLists, row: number, candidate: Other): void {
  const { limit, filled } = lists;
  const [start, count] = [row * limit, filled[row] ?? 0];
  const isFull = count === limit;
  let slot = isFull ? start + limit - 1 : start + count;
  if (isFull && !goesBefore(lists, candidate, slot)) return;
  if (!isFull) filled[row] = count + 1;
  for (; slot > start && goesBefore(lists, candidate, slot - 1); slot -= 1) move(lists, slot);
  lists.other[slot] = candidate.other;
  lists.strength[slot] = candidate.strength;
  lists.shared[slot] = candidate.shared;
}

/** Of equals those that share more, then those with the lower ids: with one row the same, that is the lower other. */
function goesBefore(lists: ShortLists, { other, strength, shared }: Other, slot: number): boolean {
  const difference = strength - (lists.strength[slot] ?? 0) || shared - (lists.shared[slot] ?? 0);
  return difference === 0 ? other < (lists.other[slot] ?? 0) : difference > 0;
}

/** Into a slot what stands in the one before. */
function move({ other, strength, shared }: ShortLists, slot: number): void {
  other[slot] = other[slot - 1] ?? 0;
  strength[slot] = strength[slot - 1] ?? 0;
  shared[slot] = shared[slot - 1] ?? 0;
}

/** Whether neither this one, which shares one entity and is at most that strong, nor a later holder gets into the list. */
function isTooWeak(
  { limit, filled, ...lists }: ShortLists,
  row: number,
  { other, strength }: Omit<Other, "shared">,
): boolean {
  if (filled[row] !== limit) return false;
  const last = row * limit + limit - 1;
  const least = lists.strength[last] ?? 0;
  return strength < least || (strength === least && other > (lists.other[last] ?? 0));
}
