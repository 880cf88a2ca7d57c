import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOf } from "../../src/model/hash.ts";
import { canonicalJson } from "../../src/model/json.ts";

/** The definition: what `JSON.stringify` makes of the same data with all keys put in again in order. */
function definition(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const anyData = fc.anything({ withDate: true, withSparseArray: true, withNullPrototype: true });

test("canonical JSON is what JSON.stringify makes of the data with sorted keys", () => {
  fc.assert(
    fc.property(anyData, (value) => {
      // Alone, what JSON has no form for gives undefined, which is no text; inside other data it is left out.
      expect(canonicalJson({ value })).toBe(definition({ value }));
    }),
  );
});

test("canonical JSON puts keys that are numbers first and in order, as objects keep them", () => {
  expect(canonicalJson({ b: 1, 10: 2, 9: 3, "-1": 4, "01": 5 })).toBe(
    '{"9":3,"10":2,"-1":4,"01":5,"b":1}',
  );
});

test("a hash is the same whether the data is read in one piece or in many", () => {
  const large = {
    texts: Array.from({ length: 5000 }, (_, index) => `text ${index} – ${"x".repeat(40)}`),
  };
  const expected = createHash("sha256").update(definition(large)).digest("hex");
  expect(hashOf(large)).toBe(expected);
});
