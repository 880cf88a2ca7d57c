import fc from "fast-check";
import { expect, test } from "vitest";
import { isUse, USE_KINDS } from "../../src/model/use.ts";
import { useSchema } from "../../src/model/use-schema.ts";

const anyText = fc.oneof(fc.string(), fc.constant(undefined), fc.integer());
const anyInstant = fc.oneof(
  fc.integer(),
  fc.double(),
  fc.string(),
  fc.constantFrom(-62_135_596_800_000, 253_402_300_799_999, 253_402_300_800_000),
);

test("isUse takes what the schema takes", () => {
  const almostUse = fc.record({
    id: anyText,
    namespace: anyText,
    memoryId: anyText,
    kind: fc.constantFrom(...USE_KINDS, "look", undefined),
    at: anyInstant,
  });
  fc.assert(
    fc.property(fc.oneof(almostUse, fc.anything()), (value) => {
      expect(isUse(value)).toBe(useSchema.safeParse(value).success);
    }),
    { numRuns: 1000 },
  );
});
