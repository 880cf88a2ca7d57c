import fc from "fast-check";
import { expect, test } from "vitest";
import type { Relation } from "../../src/model/relation.ts";
import { relationColumns } from "../../src/ports/relation-columns.ts";
import { createRelationIndex } from "../../src/scheduler/relation-index.ts";
import { aRelation } from "../builders.ts";

const NAMESPACES = ["work", "home"];
const MEMORIES = ["a", "b", "c"];

/** Few ids, so that puts meet what is stored; the ends of a relation never change, as its id follows from them. */
const relations = fc
  .record({
    namespace: fc.constantFrom(...NAMESPACES),
    from: fc.constantFrom(...MEMORIES),
    to: fc.constantFrom(...MEMORIES),
    undone: fc.boolean(),
    revision: fc.integer({ min: 1, max: 9 }),
  })
  .map(({ undone, ...fields }) =>
    aRelation({
      ...fields,
      id: `rel-${fields.from}${fields.to}`,
      ...(undone ? { undone: true as const } : {}),
    }),
  );

const keyOf = ({ namespace, id }: Relation): string => `${namespace} ${id}`;

test("an index of relations answers as a list would, whatever was put over what is stored", () => {
  const stored = fc.uniqueArray(relations, { selector: keyOf });
  fc.assert(
    fc.property(stored, fc.array(relations), (before, puts) => {
      const index = createRelationIndex(relationColumns(before));
      for (const relation of puts) index.put(relation);
      const list = [...new Map([...before, ...puts].map((one) => [keyOf(one), one])).values()];
      for (const one of list) {
        const found = [index.get(one.namespace, one.id), index.undone(one)];
        expect(found).toEqual(one.undone ? [undefined, one] : [one, undefined]);
      }
      for (const namespace of NAMESPACES) {
        const own = list.filter((relation) => relation.namespace === namespace);
        for (const id of MEMORIES) expectEnds(index, { namespace, id, own });
      }
      expect(index.get("nowhere", "rel-ab")).toBeUndefined();
    }),
  );
});

function expectEnds(
  index: ReturnType<typeof createRelationIndex>,
  {
    namespace,
    id,
    own,
  }: { readonly namespace: string; readonly id: string; readonly own: readonly Relation[] },
): void {
  const touching = own
    .filter(({ from, to, undone }) => !undone && (from === id || to === id))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  expect(index.of(namespace, id)).toEqual(touching);
  const others = touching.map(({ from, to }) => (from === id ? to : from));
  const ties = index.tiesOf(namespace, id);
  expect(ties.map(({ otherId }) => otherId).sort()).toEqual(others.sort());
  expect(ties.every(({ type, createdAt }) => type === "related" && createdAt > 0)).toBe(true);
}
