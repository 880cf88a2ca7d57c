/** A heap whose `pop` gives the item that `before` puts first. With a total order, the order of pushes does not matter. */
export interface BinaryHeap<T> {
  push(item: T): void;
  pop(): T | undefined;
}

export function createHeap<T>(before: (a: T, b: T) => boolean): BinaryHeap<T> {
  const items: T[] = [];

  const precedes = (a: number, b: number): boolean => {
    const [first, second] = [items[a], items[b]];
    return first !== undefined && (second === undefined || before(first, second));
  };
  const swap = (a: number, b: number): void => {
    const [first, second] = [items[a], items[b]];
    if (first === undefined || second === undefined) return;
    items[a] = second;
    items[b] = first;
  };
  const sink = (start: number): void => {
    let at = start;
    for (;;) {
      const left = 2 * at + 1;
      const child = precedes(left + 1, left) ? left + 1 : left;
      if (!precedes(child, at)) return;
      swap(child, at);
      at = child;
    }
  };
  return {
    push(item) {
      let at = items.push(item) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && precedes(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    pop() {
      const top = items[0];
      const last = items.pop();
      if (items.length > 0 && last !== undefined) {
        items[0] = last;
        sink(0);
      }
      return top;
    },
  };
}
