import fc from "fast-check";
import { expect, test } from "vitest";
import { createPromoteAgent } from "../../../src/agents/promote/create-promote-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import type { Memory } from "../../../src/model/memory.ts";
import type { Use } from "../../../src/model/use.ts";
import type { AgentContext } from "../../../src/ports/agent.ts";
import type { NoteFormat } from "../../../src/ports/note-vault.ts";
import { aMemory, aUse } from "../../builders.ts";
import { applyAll, contextOf, NOW, runAgent, type World, workspaceOf } from "../view-of.ts";

const daysAgo = (days: number): number => NOW - days * DAY_MS;

/** Only paths are asked for here; the real format has tests of its own. */
const FORMAT: NoteFormat = {
  titleOf: ({ content }) => content,
  pathFor: ({ content }, isTaken) => {
    for (let at = 1; ; at++) {
      const path = `${content}${at === 1 ? "" : ` ${at}`}.md`;
      if (!isTaken(path.toLowerCase())) return path;
    }
  },
  compose: () => ({ kind: "text", text: "" }),
};

const NOTES: NonNullable<AgentContext["notes"]> = { format: FORMAT, takenPaths: new Set() };

/** Two days old, used once an hour ago: it passes every gate. */
function aCandidate(id: string, fields: Partial<Memory> = {}): Memory {
  return aMemory({
    id,
    content: `Maria keeps the ${id} ledger in the blue cabinet`,
    createdAt: daysAgo(2),
    baseUseCount: 1,
    baseLastUsedAt: NOW - 3_600_000,
    ...fields,
  });
}

async function promote(world: World, overrides: Partial<AgentContext> = {}) {
  const context = contextOf(workspaceOf(world), { notes: NOTES, ...overrides });
  return await runAgent(createPromoteAgent(), context);
}

test("promote makes a used memory of high score permanent", async () => {
  const run = await promote({ memories: [aCandidate("a")] });
  const path = "Maria keeps the a ledger in the blue cabinet.md";
  expect(run.results).toMatchObject([{ memoryId: "a", vaultPath: path, criteriaMet: ["score"] }]);
  expect(run.proposals[0]?.confidence).toBeGreaterThanOrEqual(0.9);
  expect(run.proposals[0]?.changes).toMatchObject([
    {
      kind: "memory.put",
      before: { status: "active" },
      after: {
        status: "promoted",
        promotedAt: NOW,
        vaultPath: path,
        promotedScore: run.results[0]?.score,
        revision: 2,
      },
    },
  ]);
});

test.each<[string, Partial<Memory>, string]>([
  ["young", { createdAt: daysAgo(0.9) }, "too_young"],
  ["never used", { baseUseCount: 0, createdAt: daysAgo(1.1) }, "never_used"],
  ["faded", { createdAt: daysAgo(60), baseLastUsedAt: daysAgo(40) }, "below_threshold"],
  ["disputed", { disputed: true }, "disputed"],
])("promote holds back a memory that is %s, by name", async (_name, fields, reason) => {
  const { baseLastUsedAt: _last, ...unused } = aCandidate("a", fields);
  const memory = fields.baseUseCount === 0 ? unused : aCandidate("a", fields);
  const run = await promote({ memories: [memory] });
  expect(run.held).toEqual({ [reason]: 1 });
  expect(run.proposals).toEqual([]);
});

test("promote holds back fragments", async () => {
  const run = await promote({ memories: [aCandidate("a", { content: "ok" })] });
  expect(run.proposals).toEqual([]);
  expect(Object.values(run.held)).toEqual([1]);
});

test("promote takes a review for a use", async () => {
  const { baseLastUsedAt: _last, ...memory } = aCandidate("a", {
    baseUseCount: 0,
    reviewCount: 1,
    lastReviewedAt: daysAgo(0.5),
  });
  expect((await promote({ memories: [memory] })).results).toHaveLength(1);
});

function uses(memoryId: string, days: readonly number[]): readonly Use[] {
  return days.map((day) => aUse({ id: `${memoryId}-${day}`, memoryId, at: daysAgo(day) }));
}

test("promote counts dated uses of 14 days, and an import's only while the memory is younger", async () => {
  const weak = { strength: 0.1, baseUseCount: 0 };
  const memories = [
    aCandidate("five", { ...weak, createdAt: daysAgo(30) }),
    aCandidate("old", { ...weak, createdAt: daysAgo(30) }),
    aCandidate("imported", { ...weak, baseUseCount: 5, createdAt: daysAgo(30) }),
    aCandidate("young", { ...weak, baseUseCount: 5, createdAt: daysAgo(13) }),
  ];
  const run = await promote({
    memories,
    uses: [...uses("five", [1, 2, 3, 4, 13.9]), ...uses("old", [1, 2, 3, 4, 14])],
  });
  expect(run.results.map(({ memoryId, criteriaMet }) => [memoryId, criteriaMet])).toEqual([
    ["five", ["uses"]],
    ["young", ["uses"]],
  ]);
  expect(run.held).toEqual({ below_threshold: 2 });
});

test("promote forced by a person overrides criteria, age and use, and nothing else", async () => {
  const memories = [
    aCandidate("new", { createdAt: NOW, baseUseCount: 0 }),
    aCandidate("argued", { disputed: true }),
  ];
  const run = await promote({ memories }, { forced: new Set(["new", "argued"]) });
  expect(run.results).toMatchObject([{ memoryId: "new", criteriaMet: ["forced", "score"] }]);
  expect(run.held).toEqual({ disputed: 1 });
});

test("promote waits where there is no vault, and says why", async () => {
  const context = contextOf(workspaceOf({ memories: [aCandidate("a"), aCandidate("b")] }), {
    notesUnavailable: "no vault is configured",
  });
  const run = await runAgent(createPromoteAgent(), context);
  expect(run.held).toEqual({ no_vault: 2 });
  expect(run.proposals).toEqual([]);
  expect(run.scan.notes).toEqual(["2 wait for a vault: no vault is configured"]);
});

test("promote never gives one path twice, whatever its case, nor one that is taken", async () => {
  const memories = [
    aCandidate("a", { content: "The Straße is closed on market days" }),
    aCandidate("b", { content: "the straße is closed on market days" }),
    aCandidate("c", { content: "Maria keeps bees on the roof" }),
    aCandidate("d", { content: "Kim plays the cello every evening" }),
    aCandidate("e", {
      status: "promoted",
      vaultPath: "Kim plays the cello every evening.md",
    }),
  ];
  const takenPaths = new Set(["maria keeps bees on the roof.md"]);
  const run = await promote({ memories }, { notes: { format: FORMAT, takenPaths } });
  expect(run.results.map(({ vaultPath }) => vaultPath)).toEqual([
    "The Straße is closed on market days.md",
    "the straße is closed on market days 2.md",
    "Maria keeps bees on the roof 2.md",
    "Kim plays the cello every evening 2.md",
  ]);
});

test("promote takes the best first and does not promote twice", async () => {
  const memories = [aCandidate("a"), aCandidate("b", { strength: 2 })];
  const workspace = workspaceOf({ memories });
  const context = contextOf(workspace, { notes: NOTES });
  const run = await runAgent(createPromoteAgent(), context);
  expect(run.results.map(({ memoryId }) => memoryId)).toEqual(["b", "a"]);
  applyAll(workspace, run.proposals);
  const again = await runAgent(createPromoteAgent(), context);
  expect([again.scan.scanned, again.outcomes]).toEqual([0, []]);
});

const worlds = fc.uniqueArray(
  fc
    .record({
      id: fc.stringMatching(/^[a-z]{1,3}$/),
      ageDays: fc.double({ min: 0, max: 60, noNaN: true }),
      baseUseCount: fc.integer({ min: 0, max: 9 }),
      strength: fc.constantFrom(0.2, 1, 2),
      disputed: fc.boolean(),
      content: fc.constantFrom(
        "Maria keeps bees on the roof of the house",
        "ok",
        "Kim plays the cello every evening",
      ),
      status: fc.constantFrom("active" as const, "promoted" as const, "archived" as const),
    })
    .map(({ ageDays, ...fields }) =>
      aMemory({ ...fields, createdAt: Math.round(daysAgo(ageDays)) }),
    ),
  { maxLength: 30, selector: ({ id }) => id },
);

test("promote accounts for every memory it scanned, in any order of the records", async () => {
  const shuffled = worlds.chain((memories) =>
    fc.tuple(
      fc.constant(memories),
      fc.shuffledSubarray([...memories], { minLength: memories.length }),
    ),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ([memories, order]) => {
      const run = await promote({ memories });
      const held = Object.values(run.held).reduce((sum, count) => sum + count, 0);
      expect(run.scan.scanned).toBe(memories.filter(({ status }) => status === "active").length);
      expect(run.results.length + held).toBe(run.scan.scanned);
      const paths = run.results.map(({ vaultPath }) => vaultPath.toLowerCase());
      expect(new Set(paths).size).toBe(paths.length);
      expect(await promote({ memories: order })).toEqual(run);
    }),
  );
});
