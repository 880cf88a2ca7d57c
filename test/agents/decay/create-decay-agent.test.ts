import { expect, test } from "vitest";
import { createDecayAgent } from "../../../src/agents/decay/create-decay-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { closeIssueRecord, type Issue } from "../../../src/model/issue.ts";
import { issueSchema } from "../../../src/model/issue-schema.ts";
import type { Memory } from "../../../src/model/memory.ts";
import type { Proposal } from "../../../src/model/proposal.ts";
import { aMemory, anIssue, aRelation, aUse } from "../../builders.ts";
import { applyAll, contextOf, journalOf, NOW, runAgent, workspaceOf } from "../view-of.ts";

const daysAgo = (days: number): number => NOW - days * DAY_MS;

/** Never used, 100 days old: score 0.01. */
function aForgotten(id: string, fields: Partial<Memory> = {}): Memory {
  return aMemory({ id, content: `Old fact ${id}.`, createdAt: daysAgo(100), ...fields });
}

/** Fresh enough not to be at risk, used, so that the namespace has a usage signal. */
function aLively(id: string, fields: Partial<Memory> = {}): Memory {
  return aMemory({ id, content: `Live fact ${id}.`, createdAt: daysAgo(0.5), ...fields });
}

/** 40 lively memories allow two archives a day; one of them is used. */
function livelyCrowd(size = 40): readonly Memory[] {
  return Array.from({ length: size }, (_, index) => aLively(`live-${index}`));
}

const SIGNAL = aUse({ memoryId: "live-0", at: daysAgo(1) });

function opened(proposals: readonly Proposal<unknown>[]): readonly Issue[] {
  return proposals.flatMap(({ action, changes }) =>
    action === "open_issue"
      ? changes.flatMap((change) =>
          change.kind === "issue.put" && change.after ? [issueSchema.parse(change.after)] : [],
        )
      : [],
  );
}

function archivedIds(proposals: readonly Proposal<unknown>[]): readonly string[] {
  return proposals.flatMap(({ changes }) =>
    changes.flatMap((change) =>
      change.kind === "memory.put" && change.after?.status === "archived" ? [change.after.id] : [],
    ),
  );
}

test("decay reports every memory at risk with score, urgency and action", async () => {
  const memories = [
    aLively("fresh"),
    aMemory({ id: "low", createdAt: daysAgo(6) }),
    aMemory({ id: "medium", createdAt: daysAgo(9) }),
    aMemory({ id: "high", createdAt: daysAgo(20) }),
  ];
  const run = await runAgent(createDecayAgent(), contextOf(workspaceOf({ memories })));
  expect(run.scan.scanned).toBe(4);
  expect(run.results.map(({ memoryId, urgency, action }) => [memoryId, urgency, action])).toEqual([
    ["high", "high", "gc_candidate"],
    ["medium", "medium", "gc_candidate"],
    ["low", "low", "needs_review"],
  ]);
  expect(run.results.every(({ score }) => score > 0 && score < 0.35)).toBe(true);
});

test("decay recommends to reinforce what was used three times, reviewed or made strong", async () => {
  const uses = [1, 2, 3].map((n) => aUse({ id: `u${n}`, memoryId: "used", at: daysAgo(60 + n) }));
  const memories = [
    aForgotten("used"),
    aForgotten("reviewed", { reviewCount: 1, lastReviewedAt: daysAgo(50) }),
    aForgotten("strong", { strength: 1.5 }),
    aForgotten("linked"),
    aForgotten("plain"),
    aForgotten("boosted", { strength: 1.2 }),
  ];
  const relations = [aRelation({ from: "linked", to: "plain-gone" })];
  const run = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories, relations, uses })),
  );
  const actions = Object.fromEntries(run.results.map((r) => [r.memoryId, r.action]));
  expect(actions).toEqual({
    used: "reinforce",
    reviewed: "reinforce",
    strong: "reinforce",
    linked: "needs_review",
    plain: "gc_candidate",
    boosted: "needs_review",
  });
});

test("decay archives what is below the forget threshold, never used, unlinked and old", async () => {
  const memories = [...livelyCrowd(), aForgotten("gone")];
  const run = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories, uses: [SIGNAL] })),
  );
  const [proposal] = run.proposals.filter(({ action }) => action === "archive");
  expect(proposal?.confidence).toBeGreaterThanOrEqual(0.9);
  expect(proposal?.changes).toMatchObject([
    {
      kind: "memory.put",
      before: { id: "gone", status: "active" },
      after: { status: "archived", archivedAt: NOW, archivedReason: "decayed", revision: 2 },
    },
  ]);
  expect(run.results).toMatchObject([{ memoryId: "gone", archived: true }]);
  expect(opened(run.proposals)).toEqual([]);
});

test.each([
  ["pinned", { pinned: true }, "pinned"],
  ["disputed", { disputed: true }, "disputed"],
])("decay never archives a %s memory", async (_name, fields, reason) => {
  const memories = [...livelyCrowd(), aForgotten("kept", fields)];
  const run = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories, uses: [SIGNAL] })),
  );
  expect(archivedIds(run.proposals)).toEqual([]);
  expect(run.held).toEqual({ [reason]: 1 });
});

test.each([
  ["used once", {}, [aUse({ id: "x", memoryId: "kept", at: daysAgo(90) })], []],
  ["stronger than neutral", { strength: 1.1 }, [], []],
  ["linked", {}, [], [aRelation({ from: "live-1", to: "kept" })]],
  ["younger than a week", { createdAt: daysAgo(6.5) }, [], []],
])("decay never archives a memory %s", async (_name, fields, uses, relations) => {
  const memories = [...livelyCrowd(), aForgotten("kept", fields)];
  const workspace = workspaceOf({ memories, relations, uses: [SIGNAL, ...uses] });
  const context = contextOf(workspace, { tuned: { decay: { forgetBelow: 0.5 } } });
  expect(archivedIds((await runAgent(createDecayAgent(), context)).proposals)).toEqual([]);
});

test("decay archives a memory whose time to live is over, whatever its score", async () => {
  const memories = [
    ...livelyCrowd(),
    aLively("expired", { expiresAt: NOW }),
    aLively("later", { expiresAt: NOW + 1 }),
    aLively("pinned", { expiresAt: NOW - 1, pinned: true }),
  ];
  const run = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories, uses: [SIGNAL] })),
  );
  expect(archivedIds(run.proposals)).toEqual(["expired"]);
  expect(run.held).toEqual({ pinned: 1 });
});

test("decay archives at most 5% of a namespace in 24 hours, lowest scores first", async () => {
  const old = [110, 140, 120, 130].map((days) =>
    aForgotten(`old-${days}`, { createdAt: daysAgo(days) }),
  );
  const memories = [...livelyCrowd(56), ...old];
  const first = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories, uses: [SIGNAL] })),
  );
  expect(archivedIds(first.proposals)).toEqual(["old-140", "old-130", "old-120"]);
  expect(first.held).toEqual({ capped: 1 });
  expect(first.scan.notes.join()).toContain("1 more may be forgotten");

  // An hour later the same 24 hours are still full; a day later they are not.
  const journal = journalOf(first.proposals, NOW);
  for (const [hours, expected] of [
    [1, []],
    [24, ["old-110"]],
  ] as const) {
    const now = NOW + hours * 3_600_000;
    const workspace = workspaceOf({ memories, uses: [SIGNAL], journal, now });
    applyAll(workspace, first.proposals);
    const next = await runAgent(createDecayAgent(), contextOf(workspace));
    expect(archivedIds(next.proposals)).toEqual(expected);
  }
});

test("decay archives nothing where no memory was ever used, says so, and asks people", async () => {
  const memories = [...livelyCrowd(), aForgotten("old")];
  const run = await runAgent(createDecayAgent(), contextOf(workspaceOf({ memories })));
  expect(archivedIds(run.proposals)).toEqual([]);
  expect(run.held).toEqual({ no_usage_signal: 1 });
  expect(run.scan.notes.join()).toContain("ever used");
  expect(opened(run.proposals)).toMatchObject([{ notes: { memoryIds: ["old"] } }]);
});

test("decay files one issue per urgency, action and namespace, fifty memories at most", async () => {
  const many = Array.from({ length: 60 }, (_, n) =>
    aMemory({ id: `m${String(n).padStart(2, "0")}`, createdAt: daysAgo(20) }),
  );
  const memories = [
    ...many,
    aForgotten("a", { namespace: "other" }),
    aForgotten("b", { namespace: "other", strength: 2 }),
  ];
  const run = await runAgent(createDecayAgent(), contextOf(workspaceOf({ memories })));
  const issues = opened(run.proposals);
  expect(
    issues.map(({ namespace, notes }) => [namespace, notes.action, notes.memoryIds.length]),
  ).toEqual([
    ["default", "gc_candidate", 50],
    ["default", "gc_candidate", 10],
    ["other", "gc_candidate", 1],
    ["other", "reinforce", 1],
  ]);
  expect(issues[0]).toMatchObject({
    status: "open",
    priority: 1,
    labels: ["consolidation", "consolidation:decay", "urgency:high"],
  });
});

test("decay does not file again what waits, and a second run at the same clock changes nothing", async () => {
  const workspace = workspaceOf({ memories: [aForgotten("a"), aForgotten("b")] });
  const first = await runAgent(createDecayAgent(), contextOf(workspace));
  applyAll(workspace, first.proposals);
  // Relations come last in a run: what they link at this clock must not change the finding at this clock.
  workspace.fold([
    {
      kind: "relation.put",
      before: null,
      after: aRelation({ from: "a", to: "b", createdAt: NOW }),
    },
  ]);
  const second = await runAgent(createDecayAgent(), contextOf(workspace));
  expect(second.results).toEqual(first.results);
  expect(second.proposals.flatMap(({ changes }) => changes)).toEqual([]);
});

test("decay does not ask again about a declined memory until its content changes", async () => {
  const memory = aForgotten("a");
  const first = await runAgent(createDecayAgent(), contextOf(workspaceOf({ memories: [memory] })));
  const issues = opened(first.proposals).map((issue) =>
    closeIssueRecord(issue, { reason: "keep it", by: "person:kim", at: NOW }),
  );
  const memories = [...livelyCrowd(), memory];
  const again = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories, issues, uses: [SIGNAL] })),
  );
  expect(again.held).toEqual({ declined: 1 });
  expect(archivedIds(again.proposals)).toEqual([]);
  expect(opened(again.proposals)).toEqual([]);

  const edited = [...livelyCrowd(), { ...memory, content: "Another fact." }];
  const after = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories: edited, issues, uses: [SIGNAL] })),
  );
  expect(archivedIds(after.proposals)).toEqual(["a"]);
});

test("decay closes its issue once all its memories have healed", async () => {
  const memories = [aForgotten("a"), aForgotten("b")];
  const workspace = workspaceOf({ memories });
  const first = await runAgent(createDecayAgent(), contextOf(workspace));
  const issues = opened(first.proposals);
  const touched = aUse({ id: "ua", memoryId: "a", at: NOW });
  const half = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories, issues, uses: [touched] })),
  );
  expect(half.proposals.some(({ action }) => action === "close_issue")).toBe(false);

  const gone = [memories[0], aForgotten("b", { status: "archived", archivedAt: NOW - 1 })];
  const world = { memories: gone.flatMap((m) => m ?? []), issues, uses: [touched] };
  const healed = await runAgent(createDecayAgent(), contextOf(workspaceOf(world)));
  expect(healed.proposals.flatMap(({ changes }) => changes)).toMatchObject([
    { kind: "issue.put", after: { status: "closed", closedBy: "agent:decay" } },
  ]);
});

test("decay archives what a person approved, and closes the issue in the same step", async () => {
  const memories = [
    ...livelyCrowd(3),
    aForgotten("a"),
    aForgotten("b"),
    aForgotten("touched"),
    aForgotten("edited"),
  ];
  const first = await runAgent(createDecayAgent(), contextOf(workspaceOf({ memories })));
  const issues = opened(first.proposals).map((issue) => ({
    ...issue,
    labels: [...issue.labels, "approved"],
  }));
  const now = memories.map((m) => (m.id === "edited" ? { ...m, content: "New words." } : m));
  const uses = [aUse({ memoryId: "touched", at: NOW - DAY_MS })];
  const run = await runAgent(
    createDecayAgent(),
    contextOf(workspaceOf({ memories: now, issues, uses })),
  );
  const approved = run.proposals.filter(({ action }) => action === "archive_approved");
  expect(approved).toHaveLength(1);
  expect(archivedIds(approved)).toEqual(["a", "b"]);
  expect(approved[0]?.changes.at(-1)).toMatchObject({
    kind: "issue.put",
    after: { status: "closed", closedBy: "agent:decay" },
  });
});

test("decay records a review where a person approved to reinforce", async () => {
  const memories = [aForgotten("a", { strength: 1.6 })];
  const first = await runAgent(createDecayAgent(), contextOf(workspaceOf({ memories })));
  const issues = opened(first.proposals).map((issue) => ({
    ...issue,
    labels: [...issue.labels, "approved"],
  }));
  const workspace = workspaceOf({ memories, issues });
  const run = await runAgent(createDecayAgent(), contextOf(workspace));
  expect(run.proposals).toHaveLength(1);
  expect(run.proposals[0]).toMatchObject({
    action: "review",
    changes: [
      { after: { reviewCount: 1, lastReviewedAt: NOW, strength: 1.6, status: "active" } },
      { after: { status: "closed" } },
    ],
  });
  applyAll(workspace, run.proposals);
  expect((await runAgent(createDecayAgent(), contextOf(workspace))).proposals).toEqual([]);
});

test("decay never empties a scope, not even when a person approved it", async () => {
  const memories = [aForgotten("a"), aForgotten("b")];
  const first = await runAgent(createDecayAgent(), contextOf(workspaceOf({ memories })));
  const issues = opened(first.proposals).map((issue) => ({
    ...issue,
    labels: [...issue.labels, "approved"],
  }));
  const run = await runAgent(createDecayAgent(), contextOf(workspaceOf({ memories, issues })));
  expect(archivedIds(run.proposals)).toEqual(["a"]);
});

test("decay leaves memories out of scope and issues of others alone", async () => {
  const foreign = anIssue({
    notes: { ...anIssue().notes, agent: "decay", action: "reinforce", memoryIds: ["a"] },
  });
  const workspace = workspaceOf({ memories: [aForgotten("a")], issues: [foreign] });
  const run = await runAgent(createDecayAgent(), contextOf(workspace, { inScope: () => false }));
  expect(run.scan.scanned).toBe(0);
  expect(run.outcomes).toEqual([]);
});
