import fc from "fast-check";
import { expect, test } from "vitest";
import { createPairFinder, rememberConflicts } from "../../../src/agents/cluster/search-again.ts";
import { settingsSchema } from "../../../src/model/settings.ts";
import { unfittedProfile } from "../../../src/similarity/profile.ts";
import { matrixOf } from "../../../src/similarity/vectors.ts";
import { aMemory } from "../../builders.ts";

/** Few directions and few neighbours, so that crowded rows and equal similarities are common; some rows are taken away. */
const searches = fc.array(
  fc.record({
    direction: fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 })),
    isGone: fc.boolean(),
  }),
  { minLength: 2, maxLength: 30 },
);

function rowsOf(texts: readonly { direction: readonly [number, number]; index: number }[]) {
  const rows = texts.map(({ index }) => ({ record: aMemory({ content: `text ${index}` }) }));
  const vectors = texts.map(({ direction: [x, y] }) => {
    const length = Math.hypot(x, y, 2);
    return Float32Array.of(x / length, y / length, 2 / length, 0);
  });
  return { rows, matrix: matrixOf(vectors, 4) };
}

test("a search of what is left finds the pairs that a first search of it finds", async () => {
  const profile = unfittedProfile("test");
  const settings = { ...settingsSchema.parse({}).cluster, maxClusterSize: 3 };
  const { signal } = new AbortController();
  await fc.assert(
    fc.asyncProperty(searches, async (texts) => {
      const all = texts.map((text, index) => ({ ...text, index }));
      const [whole, left] = [rowsOf(all), rowsOf(all.filter(({ isGone }) => !isGone))];
      const again = createPairFinder(profile, settings);
      await again(whole.rows, whole.matrix, signal);
      const found = await again(left.rows, left.matrix, signal);
      const expected = await createPairFinder(profile, settings)(left.rows, left.matrix, signal);
      expect(found.pairs).toEqual(expected.pairs);
    }),
    { numRuns: 300 },
  );
});

test("two texts are judged once, each way round", () => {
  const asked: string[] = [];
  const rules = rememberConflicts({
    conflicts: (a, b) => {
      asked.push(`${a} ${b}`);
      return [];
    },
  });
  for (const [a, b] of [
    ["x", "y"],
    ["y", "x"],
    ["x", "y"],
  ] as const) {
    expect(rules.conflicts(a, b)).toEqual([]);
  }
  expect(asked).toEqual(["x y", "y x"]);
});
