import fc from "fast-check";
import { expect, test } from "vitest";
import { createRelationsAgent } from "../../../src/agents/relations/create-relations-agent.ts";
import type { Memory } from "../../../src/model/memory.ts";
import type { Proposal } from "../../../src/model/proposal.ts";
import { type Relation, relationId, relationSchema } from "../../../src/model/relation.ts";
import type { RelationResult } from "../../../src/model/results.ts";
import { aMemory, aRelation } from "../../builders.ts";
import { applyAll, contextOf, runAgent, workspaceOf } from "../view-of.ts";

function about(id: string, entities: readonly string[], fields: Partial<Memory> = {}): Memory {
  return aMemory({ id, content: `Memory ${id}.`, entities, ...fields });
}

function related(from: string, to: string): Relation {
  const link = { namespace: "default", from, to, type: "related" };
  return aRelation({ ...link, id: relationId(link) });
}

function written(proposals: readonly Proposal<RelationResult>[]): readonly Relation[] {
  return proposals.flatMap(({ changes }) =>
    changes.flatMap((change) =>
      change.kind === "relation.put" && change.after ? [relationSchema.parse(change.after)] : [],
    ),
  );
}

test("relations links two memories that share an entity, both ways in one proposal", async () => {
  const memories = [
    about("a", ["GitHub", "Postgres"], { tags: ["work"] }),
    about("b", ["github"], { tags: ["work", "ops"] }),
    about("c", ["Lisbon"]),
  ];
  const run = await runAgent(createRelationsAgent(), contextOf(workspaceOf({ memories })));
  expect(run.scan.scanned).toBe(3);
  expect(run.results).toEqual([
    {
      fromId: "a",
      toId: "b",
      relationType: "related",
      created: true,
      strength: 0.7 * 0.5 + 0.3 * 0.5,
    },
  ]);
  expect(run.proposals).toHaveLength(1);
  expect(written(run.proposals)).toMatchObject([
    { from: "a", to: "b", type: "related", reason: "both speak of GitHub" },
    { from: "b", to: "a", type: "related", reason: "both speak of GitHub" },
  ]);
});

test.each([
  [["one"], 0.75],
  [["one", "two"], 0.85],
  [["one", "two", "three"], 0.95],
  [["one", "two", "three", "four"], 0.95],
])("relations is surer the more entities are shared: %j", async (entities, confidence) => {
  const memories = [about("a", entities), about("b", entities)];
  const run = await runAgent(createRelationsAgent(), contextOf(workspaceOf({ memories })));
  expect(run.proposals).toMatchObject([{ confidence }]);
});

test("relations links promoted memories and never archived ones or other namespaces", async () => {
  const memories = [
    about("a", ["Kafka"]),
    about("b", ["Kafka"], { status: "archived" }),
    about("c", ["Kafka"], { namespace: "other" }),
    about("d", ["Kafka"], { status: "promoted" }),
  ];
  const run = await runAgent(createRelationsAgent(), contextOf(workspaceOf({ memories })));
  expect(run.results.map(({ fromId, toId }) => [fromId, toId])).toEqual([["a", "d"]]);
});

test.each([
  ["both directions", [related("a", "b"), related("b", "a")]],
  ["one direction", [related("b", "a")]],
])("relations never links what is linked already in %s", async (_name, relations) => {
  const memories = [about("a", ["Kafka"]), about("b", ["Kafka"])];
  const run = await runAgent(
    createRelationsAgent(),
    contextOf(workspaceOf({ memories, relations })),
  );
  expect(run.outcomes).toEqual([]);
});

test("relations lets an entity that too many memories hold link nothing, and names it", async () => {
  const crowd = (size: number) =>
    Array.from({ length: size }, (_, n) => about(`m${n}`, ["User", n < 2 ? "Kafka" : `x${n}`]));
  const linked = async (memories: readonly Memory[]) =>
    await runAgent(createRelationsAgent(), contextOf(workspaceOf({ memories })));
  const allowed = await linked(crowd(20));
  expect(allowed.results.length).toBeGreaterThan(1);
  const hub = await linked(crowd(21));
  expect(hub.results.map(({ fromId, toId }) => [fromId, toId])).toEqual([["m0", "m1"]]);
  expect(hub.scan.notes.join()).toContain("User");
});

test("relations takes the strongest links first and counts the ones there are", async () => {
  const memories = [
    about("a", ["one", "two", "three"]),
    about("b", ["one", "two", "three"]),
    about("c", ["one", "two", "four"]),
    about("d", ["one", "five", "six"]),
    about("e", []),
  ];
  const relations = [related("a", "e"), related("e", "a")];
  const run = await runAgent(
    createRelationsAgent(),
    contextOf(workspaceOf({ memories, relations }), { tuned: { relations: { perMemory: 2 } } }),
  );
  expect(run.results.map(({ fromId, toId }) => `${fromId}${toId}`)).toEqual(["ab", "bc", "cd"]);
  expect(run.held).toEqual({ link_limit: 3 });
});

test("relations leaves memories out of scope alone", async () => {
  const memories = [about("a", ["Kafka"]), about("b", ["Kafka"]), about("c", ["Kafka"])];
  const context = contextOf(workspaceOf({ memories }), { inScope: ({ id }) => id !== "b" });
  const run = await runAgent(createRelationsAgent(), context);
  expect(run.results.map(({ fromId, toId }) => [fromId, toId])).toEqual([["a", "c"]]);
});

const worlds = fc
  .uniqueArray(
    fc.record({
      id: fc.stringMatching(/^[a-z]{1,2}$/),
      entities: fc.array(fc.constantFrom("Ada", "ada", "Bob", "Cleo", "Dan", "Eve"), {
        maxLength: 4,
      }),
      tags: fc.array(fc.constantFrom("x", "y", "z"), { maxLength: 2 }),
    }),
    { maxLength: 25, selector: ({ id }) => id },
  )
  .chain((records) => {
    const ids = records.map(({ id }) => id);
    const pair =
      ids.length < 2 ? fc.constant([]) : fc.array(fc.constantFrom(...ids), { maxLength: 8 });
    return fc.record({
      memories: fc.constant(records.map((record) => aMemory(record))),
      linked: pair,
      perMemory: fc.integer({ min: 1, max: 4 }),
    });
  });

function relationsAmong(ids: readonly string[]): readonly Relation[] {
  const relations = new Map<string, Relation>();
  for (let at = 0; at + 1 < ids.length; at += 2) {
    const [from, to] = [ids[at] ?? "", ids[at + 1] ?? ""];
    if (from === to) continue;
    for (const one of [related(from, to), related(to, from)]) relations.set(one.id, one);
  }
  return [...relations.values()];
}

test("relations are symmetric, unique and at most k a memory, and a second run adds none", async () => {
  await fc.assert(
    fc.asyncProperty(worlds, async ({ memories, linked, perMemory }) => {
      const relations = relationsAmong(linked);
      const workspace = workspaceOf({ memories, relations });
      const context = contextOf(workspace, { tuned: { relations: { perMemory } } });
      const run = await runAgent(createRelationsAgent(), context);
      const made = written(run.proposals);
      const ids = new Set([...relations, ...made].map(({ id }) => id));
      expect(ids.size).toBe(relations.length + made.length);
      for (const { from, to } of made) {
        expect(from).not.toBe(to);
        expect(ids.has(related(to, from).id)).toBe(true);
      }
      for (const { id } of memories) {
        const before = relations.filter(({ from }) => from === id).length;
        const after = before + made.filter(({ from }) => from === id).length;
        expect(after).toBeLessThanOrEqual(Math.max(before, perMemory));
      }
      applyAll(workspace, run.proposals);
      const again = await runAgent(createRelationsAgent(), context);
      expect(again.proposals).toEqual([]);
    }),
  );
});

test("relations proposes the same whatever the order of the records", async () => {
  const shuffled = worlds.chain((world) =>
    fc.record({
      world: fc.constant(world),
      order: fc.shuffledSubarray([...world.memories], { minLength: world.memories.length }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ world, order }) => {
      const tuned = { relations: { perMemory: world.perMemory } };
      const relations = relationsAmong(world.linked);
      const [one, other] = await Promise.all(
        [world.memories, order].map((memories) =>
          runAgent(
            createRelationsAgent(),
            contextOf(workspaceOf({ memories, relations }), { tuned }),
          ),
        ),
      );
      expect(other).toEqual(one);
    }),
  );
});
