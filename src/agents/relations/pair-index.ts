import type { EntityIndex } from "./entity-index.ts";
import { forEachItem, lengthOf } from "./flat-lists.ts";

/** Rows with more linking entities than this are not indexed by pairs, of which they have hundreds, and are looked at one by one. */
const WIDE = 16;

/** Calls back with a row and every other that shares two linking entities or more with it, some of them twice, and some that share one. */
export function indexPairs(
  index: EntityIndex,
): (row: number, use: (row: number, other: number) => void) => void {
  const { linking, holders } = index;
  const rows = new Map<number, number[]>();
  const wide = new Map<number, number[]>();
  for (let row = 0; row < index.memories.length; row++) {
    if (lengthOf(linking, row) > WIDE) forEachItem(linking, row, (one) => addTo(wide, one, row));
    else forEachPair(row, index, (pair) => addTo(rows, pair, row));
  }
  return (row, use) => {
    const useOther = (other: number): void => use(row, other);
    if (lengthOf(linking, row) > WIDE) {
      forEachItem(linking, row, (entity) => forEachItem(holders, entity, useOther));
      return;
    }
    if (wide.size > 0) forEachItem(linking, row, (entity) => wide.get(entity)?.forEach(useOther));
    forEachPair(row, index, (pair) => rows.get(pair)?.forEach(useOther));
  };
}

/** Pairs of a row's linking entities, as one number each; those of an entity that one row alone holds are left out. */
function forEachPair(
  row: number,
  { linking: { starts, items }, holders }: EntityIndex,
  use: (pair: number) => void,
): void {
  const entities = holders.starts.length - 1;
  const isHeldAgain = (entity: number): boolean => lengthOf(holders, entity) > 1;
  const end = starts[row + 1] ?? 0;
  for (let at = starts[row] ?? 0; at < end; at++) {
    const first = items[at] ?? 0;
    for (let next = at + 1; next < end && isHeldAgain(first); next++) {
      const second = items[next] ?? 0;
      if (isHeldAgain(second)) use(first * entities + second);
    }
  }
}

function addTo(lists: Map<number, number[]>, key: number, row: number): void {
  const list = lists.get(key);
  if (list) list.push(row);
  else lists.set(key, [row]);
}
