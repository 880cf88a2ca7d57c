import { beforeAll, expect, test } from "vitest";
import { createClusterAgent } from "../../../src/agents/cluster/create-cluster-agent.ts";
import { createMergeAgent } from "../../../src/agents/merge/create-merge-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { fingerprintOf, type Issue } from "../../../src/model/issue.ts";
import type { Memory } from "../../../src/model/memory.ts";
import { memorySchema } from "../../../src/model/memory-schema.ts";
import { type Relation, relationId } from "../../../src/model/relation.ts";
import type { MergeResult } from "../../../src/model/results.ts";
import { aMemory, anIssue, aRelation, aUse } from "../../builders.ts";
import { type RealDeps, realDeps } from "../real-deps.ts";
import {
  type AgentRun,
  applyAll,
  contextOf,
  journalOf,
  NOW,
  runAgent,
  type World,
  workspaceOf,
} from "../view-of.ts";

// Reading the table takes most of a second, and nothing changes it.
let deps: RealDeps;
beforeAll(async () => {
  deps = await realDeps();
});

const daysAgo = (days: number): number => NOW - days * DAY_MS;

const STANDUP = [
  "Standup is at 9:30 every weekday in the blue room.",
  "The standup takes place every weekday at 9:30 in the blue room.",
] as const;

/** Cluster, then merge over its effects, as in a run; leaves the workspace with both folded in. */
async function consolidate(world: World, tuned: object = {}) {
  const workspace = workspaceOf({ embedder: deps.embedder, ...world });
  const context = contextOf(workspace, { tuned });
  const clustered = await runAgent(createClusterAgent(deps), context);
  applyAll(workspace, clustered.proposals);
  const merged = await runAgent(createMergeAgent(deps), context);
  applyAll(workspace, merged.proposals);
  const view = workspace.view;
  const memory = (id: string): Memory => {
    const found = view.memory("default", id);
    if (found === undefined) throw new Error(`no memory ${id}`);
    return memorySchema.parse(found);
  };
  return { workspace, context, clustered, merged, view, memory };
}

function onlyResult(run: AgentRun<MergeResult>): MergeResult {
  const [result, ...more] = run.results;
  if (result === undefined || more.length > 0) throw new Error(`${run.results.length} results`);
  return result;
}

function approve(issue: Issue): Issue {
  return { ...issue, labels: [...issue.labels, "approved"] };
}

function related(from: string, to: string, fields: Partial<Relation> = {}): Relation {
  const link = { namespace: "default", from, to, type: "related" };
  return aRelation({ ...link, id: relationId(link), ...fields });
}

test("merge makes one memory of exact copies and keeps their text once", async () => {
  const text = "Maria prefers green tea.";
  const memories = [
    aMemory({ id: "a", content: text, createdAt: daysAgo(3), strength: 1.2, tags: ["tea"] }),
    aMemory({ id: "b", content: text, createdAt: daysAgo(9), tags: ["Tea", "maria"] }),
  ];
  const { merged, memory, view } = await consolidate({ memories });
  const result = onlyResult(merged);
  expect(result).toMatchObject({ sourceIds: ["a", "b"], content: text });
  expect(memory(result.newMemoryId)).toMatchObject({
    content: text,
    status: "active",
    createdAt: daysAgo(9),
    leaves: ["a", "b"],
    strength: 1.2 + 0.2,
    revision: 1,
  });
  for (const id of ["a", "b"]) {
    expect(memory(id)).toMatchObject({
      status: "archived",
      archivedReason: "merged",
      archivedAt: NOW,
      supersededBy: result.newMemoryId,
    });
  }
  const relations = view.relationsOf("default", result.newMemoryId);
  expect(relations.map(({ id }) => id).sort()).toEqual([...result.relationIds].sort());
  expect(relations).toMatchObject([
    { from: result.newMemoryId, type: "consolidated_from" },
    { from: result.newMemoryId, type: "consolidated_from" },
  ]);
  expect(view.issues()).toMatchObject([{ status: "closed", closedBy: "agent:merge" }]);
});

test("merge puts all it changes into one proposal", async () => {
  const memories = STANDUP.map((content, at) => aMemory({ id: `m${at}`, content }));
  const { merged } = await consolidate({ memories });
  expect(merged.proposals).toHaveLength(1);
  expect(merged.proposals[0]?.changes.map(({ kind }) => kind)).toEqual([
    "memory.put",
    "memory.put",
    "memory.put",
    "relation.put",
    "relation.put",
    "issue.put",
  ]);
});

test("merge unites tags, entities and provenance", async () => {
  const memories = STANDUP.map((content, at) =>
    aMemory({
      id: `m${at}`,
      content,
      createdAt: daysAgo(5 - at),
      tags: [`t${at}`, "Team"],
      entities: [at === 0 ? "GitHub" : "github", `E${at}`],
      provenance: [{ agent: `agent-${at}`, at: daysAgo(5) }],
      source: "chat",
      expiresAt: NOW + (at + 1) * DAY_MS,
    }),
  );
  const { merged, memory } = await consolidate({ memories });
  expect(memory(onlyResult(merged).newMemoryId)).toMatchObject({
    tags: ["t0", "Team", "t1"],
    entities: ["GitHub", "E0", "E1"],
    provenance: [{ agent: "agent-0" }, { agent: "agent-1" }],
    source: "chat",
    expiresAt: NOW + 2 * DAY_MS,
  });
});

test("merge finds its work done on a second run at the same clock, and gives the same id again", async () => {
  const memories = STANDUP.map((content, at) => aMemory({ id: `m${at}`, content }));
  const first = await consolidate({ memories });
  const second = await runAgent(createClusterAgent(deps), first.context);
  expect(second.proposals.flatMap(({ changes }) => changes)).toEqual([]);
  expect((await runAgent(createMergeAgent(deps), first.context)).outcomes).toEqual([]);
  const other = await consolidate({ memories: memories.toReversed() });
  expect(onlyResult(other.merged)).toEqual(onlyResult(first.merged));
});

test("merge writes the day beside a relative date, against the time of its own memory", async () => {
  const content = "Maria moved the weekly planning meeting to the blue room yesterday.";
  const memories = [
    aMemory({ id: "a", content, createdAt: Date.UTC(2026, 2, 2, 9) }),
    aMemory({ id: "b", content: `${content} Kim agreed.`, createdAt: Date.UTC(2026, 2, 2, 20) }),
  ];
  const { merged } = await consolidate({ memories });
  expect(onlyResult(merged).content).toBe(
    "Maria moved the weekly planning meeting to the blue room yesterday (2026-03-01). Kim agreed.",
  );
});

test("merge keeps every sentence that no other says", async () => {
  const memories = [
    aMemory({
      id: "a",
      createdAt: daysAgo(2),
      content: `${STANDUP[0]} Bring the board.`,
    }),
    aMemory({ id: "b", createdAt: daysAgo(1), content: `${STANDUP[1]} Guests are welcome.` }),
  ];
  const clustered = await consolidate({ memories });
  const issues = clustered.view.issues().map(approve);
  const { merged } = await consolidate({ memories, issues });
  const { content } = onlyResult(merged);
  expect(content).toContain("Bring the board.");
  expect(content).toContain("Guests are welcome.");
});

test("merge leaves to people what nobody approved, and merges what somebody did", async () => {
  const memories = [
    aMemory({ id: "a", content: "The office printer is out of toner again." }),
    aMemory({ id: "b", content: "The office printer has run out of toner." }),
  ];
  const first = await consolidate({ memories });
  expect(first.merged.outcomes).toEqual([]);
  const issues = first.view.issues().map(approve);
  const { merged } = await consolidate({ memories, issues });
  expect(onlyResult(merged).sourceIds).toEqual(["a", "b"]);
  expect(merged.proposals[0]?.confidence).toBeGreaterThanOrEqual(0.9);
});

test("merge keeps id and note of a single promoted source, and its old words as an original", async () => {
  const [first, second] = STANDUP;
  const promoted = aMemory({
    id: "note",
    content: first,
    createdAt: daysAgo(2),
    status: "promoted",
    promotedAt: daysAgo(1),
    vaultPath: "Standup.md",
    baseUseCount: 4,
  });
  const memories = [promoted, aMemory({ id: "b", content: second, createdAt: daysAgo(1) })];
  const uses = [aUse({ id: "u1", memoryId: "note" }), aUse({ id: "u2", memoryId: "b" })];
  const { merged, memory, view, workspace, context } = await consolidate({ memories, uses });
  const result = onlyResult(merged);
  expect(result).toMatchObject({ newMemoryId: "note", sourceIds: ["b", "note"] });
  const after = memory("note");
  expect(after).toMatchObject({ status: "promoted", vaultPath: "Standup.md", revision: 2 });
  const own = memory(after.leaves.find((id) => id !== "b") ?? "");
  expect(own).toMatchObject({ status: "archived", content: first, supersededBy: "note" });
  expect(view.usage(after).useCount).toBe(6);
  applyAll(workspace, []);
  const again = await runAgent(createClusterAgent(deps), context);
  expect(again.proposals.flatMap(({ changes }) => changes)).toEqual([]);
});

test("merge starts from the originals when a merged memory is merged again, and keeps its uses", async () => {
  const memories = STANDUP.map((content, at) =>
    aMemory({ id: `m${at}`, content, createdAt: daysAgo(9 - at) }),
  );
  const first = await consolidate({ memories });
  const mergedId = onlyResult(first.merged).newMemoryId;
  const all = [
    ...first.view.memories("default"),
    aMemory({ id: "copy", content: STANDUP[0], createdAt: daysAgo(1), baseUseCount: 2 }),
  ];
  const uses = ["m0", "m1", mergedId, "copy"].map((memoryId) =>
    aUse({ id: memoryId, memoryId, at: daysAgo(0.5) }),
  );
  const second = await consolidate({ memories: all, issues: first.view.issues(), uses });
  const result = onlyResult(second.merged);
  expect(result.sourceIds).toEqual(["copy", mergedId].sort());
  const again = second.memory(result.newMemoryId);
  expect(again.leaves).toEqual(["copy", "m0", "m1"]);
  expect(second.view.usage(again).useCount).toBe(6);
  expect(again.content).not.toContain("\n\n");
});

test("merge works from a person's words where a merged memory was rewritten", async () => {
  const memories = STANDUP.map((content, at) => aMemory({ id: `m${at}`, content }));
  const first = await consolidate({ memories });
  const mergedId = onlyResult(first.merged).newMemoryId;
  const text = "Maria prefers green tea.";
  const all = [
    ...first.view
      .memories("default")
      .map((memory) => (memory.id === mergedId ? { ...memory, content: text } : memory)),
    aMemory({ id: "copy", content: text }),
  ];
  const second = await consolidate({ memories: all, issues: first.view.issues() });
  const result = onlyResult(second.merged);
  expect(result.content).toBe(text);
  expect(second.memory(result.newMemoryId).leaves).toEqual(["copy", mergedId].sort());
});

test("merge carries links of its sources over, without doubles and loops", async () => {
  const memories = [
    ...STANDUP.map((content, at) => aMemory({ id: `m${at}`, content })),
    aMemory({ id: "x", content: "The blue room has a whiteboard on wheels." }),
    aMemory({ id: "gone", content: "Old.", status: "archived", archivedReason: "decayed" }),
  ];
  const relations = [
    related("m0", "m1"),
    related("m1", "m0"),
    related("m0", "x", { strength: 0.4 }),
    related("x", "m0", { strength: 0.4 }),
    related("m1", "x", { strength: 0.6 }),
    related("m0", "gone"),
  ];
  const { merged, view } = await consolidate({ memories, relations });
  const id = onlyResult(merged).newMemoryId;
  const carried = view
    .relationsOf("default", id)
    .filter(({ type }) => type === "related")
    .map(({ from, to, strength }) => [from, to, strength]);
  expect(carried.sort()).toEqual(
    [
      [id, "x", 0.6],
      ["x", id, 0.4],
    ].sort(),
  );
});

test("merge links two merged memories of one run to each other, the second depending on the first", async () => {
  const memories = [
    ...STANDUP.map((content, at) => aMemory({ id: `m${at}`, content })),
    aMemory({ id: "t0", content: "Maria prefers green tea." }),
    aMemory({ id: "t1", content: "Maria prefers green tea!" }),
  ];
  const relations = [related("m0", "t0"), related("t0", "m0")];
  const { merged, view } = await consolidate({ memories, relations });
  const [first, second] = merged.proposals;
  const [one, other] = merged.results.map(({ newMemoryId }) => newMemoryId);
  expect(second?.dependsOn).toEqual([first?.id]);
  for (const [from = "", to = ""] of [
    [one, other],
    [other, one],
  ]) {
    const id = relationId({ namespace: "default", from, to, type: "related" });
    expect(view.relation("default", id)).toBeDefined();
  }
});

test("merge takes an issue filed by hand, and checks it like any other", async () => {
  const memories = [
    aMemory({ id: "a", content: "Kim plays the cello every evening." }),
    aMemory({ id: "b", content: "The cello of Kim is from 1890." }),
    aMemory({ id: "c", content: "Take 5 mg of the tablet daily." }),
    aMemory({ id: "d", content: "Take 10 mg of the tablet daily." }),
  ];
  const byHand = (...ids: readonly string[]): Issue => {
    const members = memories.filter(({ id }) => ids.includes(id));
    const finding = { agent: "merge", namespace: "default", action: "merge" };
    return anIssue({
      id: ids.join(""),
      labels: ["consolidation", "consolidation:merge", "urgency:low"],
      fingerprint: fingerprintOf({ ...finding, members }),
      notes: { ...anIssue().notes, ...finding, memoryIds: ids, scores: {} },
    });
  };
  const workspace = workspaceOf({ memories, issues: [byHand("a", "b"), byHand("c", "d")] });
  const run = await runAgent(createMergeAgent(deps), contextOf(workspace));
  expect(onlyResult(run).content.split("\n").sort()).toEqual([
    "Kim plays the cello every evening.",
    "The cello of Kim is from 1890.",
  ]);
  expect(run.held).toEqual({ conflict: 1 });
});

test("merge leaves an issue blocked, with the reason, where the merged text would lose something", async () => {
  const memories = [
    // A code block that never ends swallows whatever follows it.
    aMemory({ id: "a", content: "```sh\nnpm run deploy", createdAt: daysAgo(2) }),
    aMemory({ id: "b", content: "Kim plays the cello every evening.", createdAt: daysAgo(1) }),
  ];
  const finding = { agent: "merge", namespace: "default", action: "merge" };
  const issue = anIssue({
    labels: ["consolidation", "consolidation:merge", "urgency:low"],
    fingerprint: fingerprintOf({ ...finding, members: memories }),
    notes: { ...anIssue().notes, ...finding, memoryIds: ["a", "b"], scores: {} },
  });
  const workspace = workspaceOf({ memories, issues: [issue] });
  const beyondCap = contextOf(workspace, { tuned: { merge: { mergesPerDay: 0 } } });
  const waiting = await runAgent(createMergeAgent(deps), beyondCap);
  expect(waiting.held).toEqual({ capped: 1 });
  expect(waiting.proposals).toEqual([]);
  const run = await runAgent(createMergeAgent(deps), contextOf(workspace));
  expect(run.held).toEqual({ would_lose: 1 });
  expect(run.results).toEqual([]);
  applyAll(workspace, run.proposals);
  const [blocked] = workspace.view.issues();
  expect(blocked).toMatchObject({ status: "blocked" });
  expect(blocked?.notes.error).toContain("a merge would lose");
  const again = await runAgent(createMergeAgent(deps), contextOf(workspace));
  expect(again.outcomes).toEqual([]);
});

test.each([
  ["Kim plays the cello every evening. The cello of Kim is from 1890.", undefined],
  ["Kim plays the cello every evening.", 'a merge would lose "The cello of Kim is from 1890."'],
  [
    "The cello of Kim is from 1890. Kim plays the cello every evening. Kim is kind.",
    'a merge would add "Kim is kind."',
  ],
])("merge takes a person's text %j where it says all and nothing else", async (text, error) => {
  const memories = [
    aMemory({ id: "a", content: "The cello of Kim is from 1890.", createdAt: daysAgo(2) }),
    aMemory({ id: "b", content: "Kim plays the cello every evening.", createdAt: daysAgo(1) }),
  ];
  const finding = { agent: "merge", namespace: "default", action: "merge" };
  const details = { mergedText: text };
  const issue = anIssue({
    labels: ["consolidation", "consolidation:merge", "approved"],
    fingerprint: fingerprintOf({ ...finding, members: memories }),
    notes: { ...anIssue().notes, ...finding, details, memoryIds: ["a", "b"], scores: {} },
  });
  const workspace = workspaceOf({ memories, issues: [issue] });
  const run = await runAgent(createMergeAgent(deps), contextOf(workspace));
  applyAll(workspace, run.proposals);
  const [after] = workspace.view.issues();
  const merged = workspace.view.memories("default").filter(({ leaves }) => leaves.length > 0);
  expect(merged.map(({ content }) => content)).toEqual(error === undefined ? [text] : []);
  expect(after?.status).toBe(error === undefined ? "closed" : "blocked");
  expect(after?.notes.error ?? "").toContain(error ?? "");
});

test("merge holds what has changed, gone or is claimed since it was found", async () => {
  const memories = STANDUP.map((content, at) => aMemory({ id: `m${at}`, content }));
  const workspace = workspaceOf({ memories, embedder: deps.embedder });
  const clustered = await runAgent(createClusterAgent(deps), contextOf(workspace));
  applyAll(workspace, clustered.proposals);
  const issues = workspace.view.issues();
  const merge = async (world: World) =>
    await runAgent(createMergeAgent(deps), contextOf(workspaceOf(world)));
  const edited = memories.map((memory) => ({ ...memory, content: `${memory.content} Bring tea.` }));
  expect((await merge({ memories: edited, issues })).held).toEqual({ source_changed: 1 });
  expect((await merge({ memories: memories.slice(1), issues })).held).toEqual({ source_gone: 1 });
  const claim = { status: "in_progress", claimedBy: "person:kim" } as const;
  const claimed = issues.map((issue) => ({ ...issue, ...claim, leaseUntil: NOW + 1 }));
  expect((await merge({ memories, issues: claimed })).outcomes).toEqual([]);
  const expired = issues.map((issue) => ({ ...issue, ...claim, leaseUntil: NOW }));
  expect((await merge({ memories, issues: expired })).results).toHaveLength(1);
});

test("merge makes at most the configured number of merges in 24 hours", async () => {
  const memories = ["tea", "milk", "rye bread"].flatMap((food) =>
    [1, 2].map((n) => aMemory({ id: `${food[0]}${n}`, content: `Maria prefers ${food}.` })),
  );
  const tuned = { merge: { mergesPerDay: 2 } };
  const first = await consolidate({ memories }, tuned);
  expect(first.merged.results).toHaveLength(2);
  expect(first.merged.held).toEqual({ capped: 1 });
  const journal = journalOf(first.merged.proposals, NOW);
  for (const [hours, expected] of [
    [1, 0],
    [24, 1],
  ] as const) {
    const later = await consolidate(
      {
        memories: first.view.memories("default"),
        issues: first.view.issues(),
        journal,
        now: NOW + hours * 3_600_000,
      },
      tuned,
    );
    expect(later.merged.results).toHaveLength(expected);
  }
});
