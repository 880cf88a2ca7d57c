import fc from "fast-check";
import { expect, test } from "vitest";
import { type EntityIndex, indexEntities } from "../../../src/agents/relations/entity-index.ts";
import { createStrongestOthers } from "../../../src/agents/relations/strongest-others.ts";
import type { Memory } from "../../../src/model/memory.ts";
import { settingsSchema } from "../../../src/model/settings.ts";
import { aMemory } from "../../builders.ts";

const ENTITIES = Array.from({ length: 24 }, (_, at) => `Entity ${at}`);

/** Many equals, some memories of more than sixteen entities, and now and then an entity that so many hold that it links nothing. */
const held = fc.oneof(
  { weight: 6, arbitrary: fc.subarray(ENTITIES.slice(0, 5), { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.subarray(ENTITIES, { minLength: 17 }) },
);
const tags = fc.oneof(fc.constant([]), fc.subarray(["ops", "work"]));
const memories = fc
  .array(fc.record({ entities: held, tags }), { minLength: 2, maxLength: 40 })
  .map((all) =>
    all.map((fields, at) => aMemory({ id: `m${String(at).padStart(2, "0")}`, ...fields })),
  );

const SIZES = { limit: 3, rows: 40 } as const;

/** As the rule says it: every other that shares an entity that may link, by strength, then by how many of them they share, then by id. */
function strongestByTheRule(
  row: number,
  { index, isCandidate }: { readonly index: EntityIndex; readonly isCandidate: Uint8Array },
) {
  const linking = ({ entities }: Memory) => entities.filter((one) => !index.hubs.includes(one));
  const own = index.memories[row] ?? aMemory();
  return index.memories
    .map((memory, other) => ({
      other,
      strength: 0.7 * ratio(own.entities, memory.entities) + 0.3 * ratio(own.tags, memory.tags),
      shared: common(linking(own), linking(memory)),
    }))
    .filter(({ other, shared }) => other !== row && shared > 0 && isCandidate[other] === 1)
    .sort((a, b) => b.strength - a.strength || b.shared - a.shared || a.other - b.other)
    .slice(0, SIZES.limit);
}

function common(a: readonly string[], b: readonly string[]): number {
  return a.filter((one) => b.includes(one)).length;
}

function ratio(a: readonly string[], b: readonly string[]): number {
  const union = a.length + b.length - common(a, b);
  return union === 0 ? 0 : common(a, b) / union;
}

test("strongest others are those of the rule, with hubs, tags, memories of many entities and some out of scope", () => {
  const scope = fc.uint8Array({ min: 0, max: 3, minLength: SIZES.rows, maxLength: SIZES.rows });
  const hubMinimum = fc.constantFrom(10, 1000);
  fc.assert(
    fc.property(memories, scope, hubMinimum, (all, inScope, minimum) => {
      const settings = { ...settingsSchema.parse({}).relations, hubMinimum: minimum };
      const index = indexEntities(all, settings);
      const isCandidate = inScope.map((one) => Math.min(one, 1));
      const { lists, fill } = createStrongestOthers(index, { limit: SIZES.limit, isCandidate });
      for (const row of all.keys()) {
        fill(row);
        const found = Array.from({ length: lists.filled[row] ?? 0 }, (_, at) => {
          const slot = row * SIZES.limit + at;
          const { other, strength, shared } = lists;
          return { other: other[slot], strength: strength[slot], shared: shared[slot] };
        });
        expect(found).toEqual(strongestByTheRule(row, { index, isCandidate }));
      }
    }),
    { numRuns: 200 },
  );
});
