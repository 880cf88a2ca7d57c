/** A heap whose `pop` gives the item that `before` puts first. With a total order, the order of pushes does not matter. */
export interface BinaryHeap<T> {
  push(item: T): void;
  pop(): T | undefined;
}

export function createHeap<T>(before: (a: T, b: T) => boolean): BinaryHeap<T> {
  const items: T[] = [];

  const rise = (item: T, start: number): void => {
    let at = start;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      const above = items[parent];
      if (above === undefined || !before(item, above)) break;
      items[at] = above;
      at = parent;
    }
    items[at] = item;
  };
  const firstChild = (at: number): number => {
    const left = 2 * at + 1;
    const [a, b] = [items[left], items[left + 1]];
    return a !== undefined && b !== undefined && before(b, a) ? left + 1 : left;
  };
  const sink = (item: T): void => {
    let at = 0;
    for (;;) {
      const child = firstChild(at);
      const below = items[child];
      if (below === undefined || !before(below, item)) break;
      items[at] = below;
      at = child;
    }
    items[at] = item;
  };
  return {
    push: (item) => rise(item, items.length),
    pop() {
      const top = items[0];
      const last = items.pop();
      if (items.length > 0 && last !== undefined) sink(last);
      return top;
    },
  };
}
