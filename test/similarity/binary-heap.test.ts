import fc from "fast-check";
import { expect, test } from "vitest";
import { createHeap } from "../../src/similarity/binary-heap.ts";

test("a heap gives back what was pushed, first things first", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.array(fc.integer()), (early, late) => {
      const heap = createHeap<number>((a, b) => a < b);
      for (const value of early) heap.push(value);
      const lowest = heap.pop();
      for (const value of late) heap.push(value);
      const rest: number[] = [];
      for (let value = heap.pop(); value !== undefined; value = heap.pop()) rest.push(value);
      const sorted = early.toSorted((a, b) => a - b);
      expect(lowest).toBe(sorted[0]);
      expect(rest).toEqual([...sorted.slice(1), ...late].sort((a, b) => a - b));
    }),
  );
});
