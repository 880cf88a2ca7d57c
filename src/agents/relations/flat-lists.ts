/** Lists of small numbers, one behind the other: a large store has hundreds of thousands of them. */
export interface FlatLists {
  /** List `n` is from `starts[n]` up to `starts[n + 1]`. */
  readonly starts: Uint32Array;
  readonly items: Uint32Array;
}

export function flatten(lists: readonly (readonly number[])[]): FlatLists {
  const starts = new Uint32Array(lists.length + 1);
  for (const [at, list] of lists.entries()) starts[at + 1] = (starts[at] ?? 0) + list.length;
  const items = new Uint32Array(starts[lists.length] ?? 0);
  for (const [at, list] of lists.entries()) items.set(list, starts[at]);
  return { starts, items };
}

export function lengthOf({ starts }: FlatLists, list: number): number {
  return (starts[list + 1] ?? 0) - (starts[list] ?? 0);
}

/** Without a view or an iterator: of a large store there would be millions. */
export function forEachItem(
  { starts, items }: FlatLists,
  list: number,
  use: (item: number) => void,
): void {
  const end = starts[list + 1] ?? 0;
  for (let at = starts[list] ?? 0; at < end; at++) use(items[at] ?? 0);
}

/** How many numbers two ascending lists have in common. */
export function countCommon({ starts, items }: FlatLists, first: number, second: number): number {
  let [i = 0, j = 0] = [starts[first], starts[second]];
  const [endOfFirst = 0, endOfSecond = 0] = [starts[first + 1], starts[second + 1]];
  let common = 0;
  while (i < endOfFirst && j < endOfSecond) {
    const order = (items[i] ?? 0) - (items[j] ?? 0);
    if (order === 0) common += 1;
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
  }
  return common;
}

/** Size of the intersection over size of the union of two ascending lists; 0 where both are empty. */
export function jaccard(lists: FlatLists, first: number, second: number): number {
  const common = countCommon(lists, first, second);
  const union = lengthOf(lists, first) + lengthOf(lists, second) - common;
  return union === 0 ? 0 : common / union;
}
