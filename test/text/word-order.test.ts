import fc from "fast-check";
import { expect, test } from "vitest";
import { movedShare } from "../../src/text/word-order.ts";

test("movedShare is zero where the common words keep their order, whatever stands between them", () => {
  expect(movedShare("Kim called Dave on Monday.", "On Monday, Kim called Dave twice.")).toBeCloseTo(
    1 / 4,
    12,
  );
  expect(movedShare("Kim called Dave.", "Kim finally called her brother Dave.")).toBe(0);
  expect(movedShare("Kim called Dave.", "It rained.")).toBe(0);
});

test("movedShare sees who did what to whom change", () => {
  const share = movedShare("A fish hunts a turtle in the sea.", "A sea turtle is hunting fish.");
  expect(share).toBeGreaterThanOrEqual(0.5);
});

test("movedShare sees words of any inflection as the same", () => {
  expect(movedShare("The team deploys services.", "The team deployed the service.")).toBe(0);
});

test("movedShare is symmetric, between zero and one, and zero for a text and itself", () => {
  const text = fc
    .array(fc.constantFrom("red", "fox", "jumps", "over", "lazy", "dog", "the"), { maxLength: 10 })
    .map((words) => words.join(" "));
  fc.assert(
    fc.property(text, text, (a, b) => {
      const share = movedShare(a, b);
      expect(share).toBe(movedShare(b, a));
      expect(share).toBeGreaterThanOrEqual(0);
      expect(share).toBeLessThanOrEqual(1);
      expect(movedShare(a, a)).toBe(0);
    }),
  );
});
