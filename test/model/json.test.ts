import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { hashOfList } from "../../src/model/hash.ts";
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

test("canonical JSON keeps a key that is named __proto__", () => {
  expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe(
    '{"__proto__":{"a":2},"b":1}',
  );
});

test("canonical JSON puts keys that are numbers first and in order, as objects keep them", () => {
  expect(canonicalJson({ b: 1, 10: 2, 9: 3, "-1": 4, "01": 5 })).toBe(
    '{"9":3,"10":2,"-1":4,"01":5,"b":1}',
  );
});

test("the hash of a list is that of its items, a line each", () => {
  const items = [{ b: 1, a: 2 }, "text", null];
  const expected = createHash("sha256").update('{"a":2,"b":1}\n"text"\nnull\n').digest("hex");
  expect(hashOfList(items)).toBe(expected);
});
