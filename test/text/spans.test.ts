import fc from "fast-check";
import { expect, test } from "vitest";
import { overlaps, type Span, withoutOverlapping } from "../../src/text/spans.ts";

const anySpan = fc
  .tuple(fc.nat(40), fc.nat(8))
  .map(([start, length]): Span => ({ text: "x".repeat(length), start, end: start + length }));

test("what overlaps nothing taken is what overlaps none of the spans one by one", () => {
  fc.assert(
    fc.property(fc.array(anySpan), fc.array(anySpan), (candidates, taken) => {
      const expected = candidates.filter((span) => !taken.some((other) => overlaps(other, span)));
      expect(withoutOverlapping(candidates, taken)).toEqual(expected);
    }),
  );
});
