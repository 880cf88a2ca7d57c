import { beforeAll, expect, test } from "vitest";
import { createClusterAgent } from "../../../src/agents/cluster/create-cluster-agent.ts";
import { createMergeAgent } from "../../../src/agents/merge/create-merge-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { closeIssueRecord, ISSUE_LABELS, type Issue } from "../../../src/model/issue.ts";
import { type Memory, reviseMemory } from "../../../src/model/memory.ts";
import type { Workspace } from "../../../src/scheduler/workspace.ts";
import { aMemory } from "../../builders.ts";
import { type RealDeps, realDeps } from "../real-deps.ts";
import { applyAll, contextOf, NOW, runAgent, type World, workspaceOf } from "../view-of.ts";

// Reading the table takes most of a second, and nothing changes it.
let deps: RealDeps;
beforeAll(async () => {
  deps = await realDeps();
});

const FIVE = "Take 5 mg of the tablet daily.";
const TEN = "Take 10 mg of the tablet daily.";

function dose(id: string, content: string, daysAgo: number, fields: Partial<Memory> = {}): Memory {
  return aMemory({ id, content, createdAt: NOW - daysAgo * DAY_MS, ...fields });
}

const doses = (older: Partial<Memory> = {}, newer: Partial<Memory> = {}): readonly Memory[] => [
  dose("old", FIVE, 9, older),
  dose("new", TEN, 2, newer),
];

function open(world: World): Workspace {
  return workspaceOf({ embedder: deps.embedder, ...world });
}

/** Runs the cluster agent and folds what it changes into the view. */
async function night(workspace: Workspace, tuned: object = {}) {
  const run = await runAgent(createClusterAgent(deps), contextOf(workspace, { tuned }));
  applyAll(workspace, run.proposals);
  const changes = run.proposals.flatMap((proposal) => proposal.changes);
  return { ...run, changes, get: (id: string) => getMemory(workspace, id) };
}

function getMemory({ view }: Workspace, id: string): Memory {
  const memory = view.memory("default", id);
  if (memory === undefined) throw new Error(`${id} is gone`);
  return memory;
}

function onlyIssue({ view }: Workspace): Issue {
  const [issue] = view.issues();
  if (issue === undefined) throw new Error("no issue was opened");
  return issue;
}

function links({ view }: Workspace, id: string): readonly string[] {
  return view
    .relationsOf("default", id)
    .map(
      ({ from, type, to, metadata }) =>
        `${from} ${type} ${to}${metadata.settled ? ", settled" : ""}`,
    )
    .sort();
}

const KEEP_NEWER = { contradictions: { strategy: "keep_newer" } };

test("a contradiction leaves both live and disputed, related both ways, with one issue, and a second run adds nothing", async () => {
  const workspace = open({ memories: doses() });
  const { get } = await night(workspace);
  for (const id of ["old", "new"])
    expect(get(id)).toMatchObject({ status: "active", disputed: true });
  expect(links(workspace, "old")).toEqual(["new contradicts old", "old contradicts new"]);
  expect(onlyIssue(workspace)).toMatchObject({ status: "open", notes: { action: "conflict" } });
  expect((await night(workspace)).changes).toEqual([]);
});

test.each([
  ["edited", { content: "The tablet is blue." }, "any more"],
  ["archived", { status: "archived", archivedReason: "forgotten" }, "archived"],
] as const)("a dispute heals once the other side is %s", async (_how, changes, why) => {
  const workspace = open({ memories: doses() });
  const { get } = await night(workspace);
  const before = get("new");
  workspace.fold([{ kind: "memory.put", before, after: reviseMemory(before, changes) }]);
  const second = await night(workspace);
  expect(second.get("old").disputed).toBe(false);
  expect(onlyIssue(workspace).status).toBe("closed");
  expect(links(workspace, "old")).toEqual([
    "new contradicts old, settled",
    "old contradicts new, settled",
  ]);
  expect(second.proposals.map(({ reason }) => reason).join()).toContain(why);
  expect((await night(workspace)).changes).toEqual([]);
});

test("a dispute heals where a person says that there is none, and is not raised again", async () => {
  const workspace = open({ memories: doses() });
  await night(workspace);
  const before = onlyIssue(workspace);
  const after = closeIssueRecord(before, { reason: "both", by: "person:kim", at: NOW });
  workspace.fold([{ kind: "issue.put", before, after }]);
  const { get, held } = await night(workspace);
  expect([get("old").disputed, get("new").disputed]).toEqual([false, false]);
  expect(held).toEqual({ declined: 1 });
  expect((await night(workspace)).changes).toEqual([]);
});

test("a dispute that an import brought stays, as nothing says that it ended", async () => {
  const { get, changes } = await night(
    open({ memories: [dose("old", FIVE, 9, { disputed: true })] }),
  );
  expect(changes).toEqual([]);
  expect(get("old").disputed).toBe(true);
});

test("a dispute does not heal because the other side is out of the run's scope", async () => {
  const workspace = open({ memories: doses() });
  await night(workspace);
  const context = contextOf(workspace, { inScope: ({ id }) => id === "old" });
  const run = await runAgent(createClusterAgent(deps), context);
  expect(run.proposals.flatMap(({ changes }) => changes)).toEqual([]);
});

test("keep_newer archives the older with its words and provenance, in one step with the issue", async () => {
  const provenance = [{ agent: "nurse", factId: "f1", at: NOW - 9 * DAY_MS }];
  const workspace = open({ memories: doses({ provenance }) });
  const { get, proposals } = await night(workspace, KEEP_NEWER);
  expect(proposals.filter(({ changes }) => changes.length > 0)).toHaveLength(1);
  expect(get("old")).toMatchObject({
    status: "archived",
    archivedReason: "superseded",
    supersededBy: "new",
    validTo: NOW - 2 * DAY_MS,
    content: FIVE,
    provenance,
    disputed: false,
  });
  expect(get("new")).toEqual(doses()[1]);
  expect(links(workspace, "new")).toEqual(["new supersedes old"]);
  expect(onlyIssue(workspace)).toMatchObject({ status: "closed", closedBy: "agent:cluster" });
  expect((await night(workspace, KEEP_NEWER)).changes).toEqual([]);
});

test("keep_newer goes by the time of the facts, not of their records", async () => {
  const workspace = open({ memories: doses({ validFrom: NOW - DAY_MS }) });
  const { get } = await night(workspace, KEEP_NEWER);
  expect([get("old").status, get("new").status]).toEqual(["active", "archived"]);
  expect(get("new").validTo).toBe(NOW - DAY_MS);
});

test("keep_higher_trust archives what is believed less, and one nobody rated counts as half believed", async () => {
  const tuned = { contradictions: { strategy: "keep_higher_trust" } };
  const trusted = await night(open({ memories: doses({ confidence: 0.9 }) }), tuned);
  expect(trusted.get("new")).toMatchObject({ status: "archived", supersededBy: "old" });
  const doubted = await night(open({ memories: doses({ confidence: 0.2 }) }), tuned);
  expect(doubted.get("old")).toMatchObject({ status: "archived", supersededBy: "new" });
  const even = await night(open({ memories: doses() }), tuned);
  expect([even.get("old").disputed, even.get("new").disputed]).toEqual([true, true]);
});

test.each([
  ["is less certain than the threshold", doses(), { threshold: 1 }],
  ["would archive a pinned memory", doses({ pinned: true }), {}],
  ["would archive a memory with a note", doses({ status: "promoted", vaultPath: "a.md" }), {}],
  ["would archive more than it contradicts", doses({ content: `${FIVE} Store it dry.` }), {}],
  ["has no newer side", [dose("old", FIVE, 2), dose("new", TEN, 2)], {}],
])("a contradiction that %s stays disputed under keep_newer", async (_why, memories, more) => {
  const tuned = { contradictions: { strategy: "keep_newer", ...more } };
  const { get } = await night(open({ memories }), tuned);
  expect(get("old").status).not.toBe("archived");
  expect([get("old").disputed, get("new").disputed]).toEqual([true, true]);
});

test("approving a contradiction archives the older under the default strategy, and heals the newer", async () => {
  const workspace = open({ memories: doses() });
  await night(workspace);
  const before = onlyIssue(workspace);
  const after = { ...before, labels: [...before.labels, ISSUE_LABELS.approved] };
  workspace.fold([{ kind: "issue.put", before, after }]);
  const { get } = await night(workspace);
  expect(get("old")).toMatchObject({ status: "archived", supersededBy: "new", disputed: false });
  expect(get("new")).toMatchObject({ status: "active", disputed: false });
  expect(onlyIssue(workspace).status).toBe("closed");
  expect(links(workspace, "new")).toEqual([
    "new contradicts old, settled",
    "new supersedes old",
    "old contradicts new, settled",
  ]);
  expect((await night(workspace)).changes).toEqual([]);
});

test("an approved contradiction that cannot be settled says why", async () => {
  const workspace = open({ memories: doses({ pinned: true }) });
  await night(workspace);
  const before = onlyIssue(workspace);
  const after = { ...before, labels: [...before.labels, ISSUE_LABELS.approved] };
  workspace.fold([{ kind: "issue.put", before, after }]);
  const { held, changes } = await night(workspace);
  expect(held).toEqual({ loser_pinned: 1 });
  expect(changes).toEqual([]);
});

test("a loser that a person brought back is not archived again", async () => {
  const workspace = open({ memories: doses() });
  const { get } = await night(workspace, KEEP_NEWER);
  const before = get("old");
  const after = reviseMemory(before, {
    ...doses()[0],
    supersededBy: undefined,
    validTo: undefined,
  });
  workspace.fold([{ kind: "memory.put", before, after }]);
  const { held, changes } = await night(workspace, KEEP_NEWER);
  expect([held, changes]).toEqual([{ done: 1 }, []]);
});

test("what was so in one period does not contradict what is so in the next", async () => {
  const turn = NOW - 5 * DAY_MS;
  const { changes } = await night(
    open({ memories: doses({ validTo: turn }, { validFrom: turn }) }),
  );
  expect(changes).toEqual([]);
});

test("several contradictions settled in one night leave nothing for the next", async () => {
  const memories = [
    ...doses(),
    dose("copy", FIVE, 8),
    dose("mid", "Take 8 mg of the tablet daily.", 5),
    dose("else", "The user is allergic to peanuts.", 3),
    dose("not", "The user is not allergic to peanuts.", 1),
  ];
  const workspace = open({ memories });
  const first = await night(workspace, KEEP_NEWER);
  const live = memories.filter(({ id }) => first.get(id).status === "active");
  expect(live.map(({ id }) => id)).toEqual(["new", "not"]);
  expect((await night(workspace, KEEP_NEWER)).changes).toEqual([]);
});

test("copies of one side of a dispute are merged, and the dispute goes on about the merged memory", async () => {
  const workspace = open({ memories: [...doses(), dose("copy", FIVE, 8)] });
  await night(workspace);
  const merged = await runAgent(createMergeAgent(deps), contextOf(workspace));
  applyAll(workspace, merged.proposals);
  const id = merged.results[0]?.newMemoryId ?? "";
  expect(getMemory(workspace, id)).toMatchObject({ disputed: true, status: "active" });
  expect(links(workspace, id)).toContain(`${id} contradicts new`);
  expect((await night(workspace)).changes).toEqual([]);
});

test("an issue about a contradiction shows no word of a memory that holds a secret", async () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const memories = [
    dose("old", `The deploy token is ${token} and it expires in 5 days.`, 2),
    dose("new", `The deploy token is ${token} and it expires in 9 days.`, 1),
  ];
  const workspace = open({ memories });
  const run = await night(workspace);
  expect(run.results.map(({ action }) => action)).toEqual(["conflict"]);
  expect(
    JSON.stringify([workspace.view.issues(), run.proposals.map(({ reason }) => reason)]),
  ).not.toContain(token);
  expect(JSON.stringify(workspace.view.relationsOf("default", "old"))).not.toContain(token);
});
