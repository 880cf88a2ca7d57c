import { beforeAll, expect, test } from "vitest";
import { createPromoteAgent } from "../../../src/agents/promote/create-promote-agent.ts";
import type { Memory } from "../../../src/model/memory.ts";
import type { AgentContext } from "../../../src/ports/agent.ts";
import { aMemory } from "../../builders.ts";
import { noteFormat } from "../../note-formats.ts";
import { type RealDeps, realDeps } from "../real-deps.ts";
import { applyAll, contextOf, NOW, runAgent, type World, workspaceOf } from "../view-of.ts";

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

const BACKUP =
  "The nightly backup of the ledger database runs at two in the morning on the Oslo server.";
const AGAIN =
  "The nightly backup of the ledger database runs at two in the morning, on the server in Oslo.";

function aCandidate(id: string, content: string, fields: Partial<Memory> = {}): Memory {
  const createdAt = NOW - 2 * 86_400_000;
  return aMemory({
    id,
    content,
    createdAt,
    baseUseCount: 1,
    baseLastUsedAt: NOW - 1000,
    ...fields,
  });
}

function aNoted(id: string, content: string, fields: Partial<Memory> = {}): Memory {
  const vaultPath = `${id}.md`;
  return aCandidate(id, content, {
    status: "promoted",
    promotedAt: NOW - 1000,
    vaultPath,
    ...fields,
  });
}

async function promote(memories: readonly Memory[], overrides: Partial<AgentContext> = {}) {
  const world: World = { memories, embedder: real.embedder };
  const workspace = workspaceOf(world);
  const notes = { format: noteFormat, takenPaths: new Set<string>() };
  const context = contextOf(workspace, { notes, ...overrides });
  const run = await runAgent(createPromoteAgent(real), context);
  return { ...run, workspace, context };
}

test("a memory that says what a note says already is held as a near-duplicate, and linked to the note once", async () => {
  const run = await promote([aNoted("n", BACKUP), aCandidate("c", AGAIN)]);
  expect(run.held).toMatchObject({ near_duplicate: 1 });
  expect(run.results).toEqual([]);
  expect(run.proposals).toMatchObject([
    {
      action: "extend",
      dependsOn: [],
      changes: [{ kind: "relation.put", after: { from: "c", to: "n", type: "restates" } }],
    },
  ]);
  applyAll(run.workspace, run.proposals);
  const again = await runAgent(createPromoteAgent(real), run.context);
  expect(again.held).toMatchObject({ near_duplicate: 1 });
  expect(again.proposals).toEqual([]);
});

test("of two new memories that say the same, the better is promoted and the other extends its note", async () => {
  const better = aCandidate("b", AGAIN, { baseUseCount: 9 });
  const run = await promote([aCandidate("a", BACKUP), better]);
  const [first, second] = run.proposals;
  expect(first).toMatchObject({ action: "promote", results: [{ memoryId: "b" }] });
  expect(second).toMatchObject({
    action: "extend",
    dependsOn: [first?.id],
    changes: [{ after: { from: "a", to: "b" } }],
  });
});

test.each([
  [
    "another time",
    "The nightly backup of the ledger database runs at four in the morning on the Oslo server.",
  ],
  [
    "another server",
    "The nightly backup of the ledger database runs at two in the morning on the Bergen server.",
  ],
  [
    "a negation",
    "The nightly backup of the ledger database does not run at two in the morning on the Oslo server.",
  ],
  [
    "another matter",
    "Tomás Vega prefers small React components with hooks over context providers.",
  ],
])("a memory with %s gets a note of its own", async (_, content) => {
  const run = await promote([aNoted("n", BACKUP), aCandidate("c", content)]);
  expect(run.proposals.map(({ action }) => action)).toEqual(["promote"]);
});

test("only memories of one kind and namespace are near-duplicates", async () => {
  const noted = [
    aNoted("n", BACKUP, { kind: "procedural" }),
    aNoted("m", BACKUP, { namespace: "other" }),
  ];
  const run = await promote([...noted, aCandidate("c", AGAIN)]);
  expect(run.proposals.map(({ action }) => action)).toEqual(["promote"]);
});

test("a person who forces a promotion gets a note, whatever says the same", async () => {
  const memories = [aNoted("n", BACKUP), aCandidate("c", AGAIN)];
  const run = await promote(memories, { forced: new Set(["c"]) });
  expect(run.proposals).toMatchObject([{ action: "promote", results: [{ memoryId: "c" }] }]);
});

test("texts too long to be merged extend a note too", async () => {
  const long = Array.from(
    { length: 20 },
    (_, n) => `Step ${n} of the backup checks disk ${n} of the Oslo server.`,
  ).join(" ");
  const run = await promote([aNoted("n", long), aCandidate("c", `${long} Then it stops.`)]);
  expect(run.proposals.map(({ action }) => action)).toEqual(["extend"]);
});
