import { beforeAll, expect, test } from "vitest";
import { createClusterAgent } from "../../../src/agents/cluster/create-cluster-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { closeIssueRecord, type Issue } from "../../../src/model/issue.ts";
import { issueSchema } from "../../../src/model/issue-schema.ts";
import type { Memory } from "../../../src/model/memory.ts";
import type { Proposal } from "../../../src/model/proposal.ts";
import { aMemory } from "../../builders.ts";
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
let unfitted: RealDeps;
beforeAll(async () => {
  deps = await realDeps();
  unfitted = await realDeps({ fitted: false });
});

const STANDUP = [
  "Standup is at 9:30 every weekday in the blue room.",
  "The standup takes place every weekday at 9:30 in the blue room.",
] as const;

function memoriesOf(...contents: readonly string[]): readonly Memory[] {
  return contents.map((content, at) =>
    aMemory({ id: `m${at + 1}`, content, createdAt: NOW - at * 1000 }),
  );
}

async function cluster(
  world: World,
  { tuned = {}, using = deps }: { readonly tuned?: object; readonly using?: RealDeps } = {},
): Promise<AgentRun<import("../../../src/model/results.ts").ClusterResult>> {
  const workspace = workspaceOf({ embedder: using.embedder, ...world });
  return await runAgent(createClusterAgent(using), contextOf(workspace, { tuned }));
}

function summary(run: {
  readonly results: readonly { action: string; memoryIds: readonly string[] }[];
}) {
  return run.results.map(({ action, memoryIds }) => [action, ...memoryIds].join(" "));
}

function opened(proposals: readonly Proposal<unknown>[]): readonly Issue[] {
  return proposals.flatMap(({ changes }) =>
    changes.flatMap((change) =>
      change.kind === "issue.put" && change.after && change.after.status === "open"
        ? [issueSchema.parse(change.after)]
        : [],
    ),
  );
}

test("cluster puts exact copies together, whatever their case and punctuation", async () => {
  const run = await cluster({
    memories: memoriesOf("Maria prefers green tea.", "maria  prefers green tea", "Lisbon is hot."),
  });
  expect(run.scan.scanned).toBe(3);
  expect(summary(run)).toEqual(["auto_merge m1 m2"]);
  expect(run.results[0]?.cohesion).toBe(1);
  expect(opened(run.proposals)).toMatchObject([
    {
      status: "open",
      labels: ["consolidation", "consolidation:cluster", "urgency:low", "consolidation:merge"],
      notes: { action: "auto_merge", memoryIds: ["m1", "m2"], scores: { cohesion: 1 } },
    },
  ]);
});

test("cluster puts parts to the memory that holds all their sentences", async () => {
  const run = await cluster({
    memories: memoriesOf(
      "The gym is on Baker Street. It closes at nine. Bring a towel.",
      "It closes at nine.",
      "Bring a towel.",
      "Bring a coat.",
    ),
  });
  expect(summary(run)).toContain("auto_merge m1 m2 m3");
});

test("cluster merges unseen what says the same in other words", async () => {
  const run = await cluster({ memories: memoriesOf(...STANDUP) });
  expect(summary(run)).toEqual(["auto_merge m1 m2"]);
  expect(run.results[0]?.cohesion).toBeGreaterThanOrEqual(0.85);
});

test.each([
  ["doses", "Take 5 mg of the tablet daily.", "Take 10 mg of the tablet daily."],
  ["times", "The flight leaves at 5 PM on Friday.", "The flight leaves at 8 PM on Friday."],
  ["negation", "The user is allergic to peanuts.", "The user is not allergic to peanuts."],
  ["roles", "Kim reports to Dave.", "Dave reports to Kim."],
  ["dates", "The report is due on 15 October.", "The report is due on 16 October."],
])("cluster never groups two memories that contradict each other: %s", async (_n, a, b) => {
  const run = await cluster({ memories: memoriesOf(a, b) });
  expect(summary(run)).toEqual(["conflict m1 m2"]);
  const [issue] = opened(run.proposals);
  expect(issue?.labels).toContain("conflict");
  expect(issue?.labels).not.toContain("consolidation:merge");
  expect(issue?.notes.details.conflicts).not.toEqual([]);
});

test("cluster leaves to a person what is similar and not certainly the same", async () => {
  const run = await cluster({
    memories: memoriesOf(
      "The office printer is out of toner again.",
      "The office printer has run out of toner.",
    ),
  });
  expect(summary(run)).toEqual(["llm_review m1 m2"]);
  const [issue] = opened(run.proposals);
  expect(issue?.labels).toEqual(["consolidation", "consolidation:cluster", "urgency:low"]);
});

test("cluster without a fitted profile merges unseen only copies, parts and near-identical texts", async () => {
  const [a, b] = STANDUP;
  const near = await cluster({ memories: memoriesOf(a, b) }, { using: unfitted });
  expect(summary(near)).toEqual(["auto_merge m1 m2"]);
  const far = await cluster(
    {
      memories: memoriesOf(
        "Our staging database runs on Postgres 15.",
        "The staging database is Postgres 15.",
      ),
    },
    { using: unfitted },
  );
  expect(summary(far)).toEqual(["llm_review m1 m2"]);
});

test("cluster never merges unseen what differs in the order of its words alone", async () => {
  const run = await cluster({
    memories: memoriesOf(
      "Before the release the team lead reviews the notes of the support desk and the build log together with the testers.",
      "Before the release the support desk reviews the notes of the team lead and the build log together with the testers.",
    ),
  });
  expect(run.results.map(({ action }) => action)).not.toContain("auto_merge");
});

test("cluster takes copies of a relative date for different facts when they were written on different days", async () => {
  const memories = [0, 7].map((days) =>
    aMemory({ id: `d${days}`, content: "I ran 5 km yesterday.", createdAt: NOW - days * DAY_MS }),
  );
  const run = await cluster({ memories });
  expect(run.results.map(({ action }) => action)).not.toContain("auto_merge");
});

test.each([
  ["namespaces", { namespace: "other" }],
  ["kinds", { kind: "episodic" as const }],
  ["periods", { validTo: NOW - DAY_MS }],
])("cluster never groups across %s", async (_name, fields) => {
  const [first, second] = memoriesOf("Maria prefers green tea.", "Maria prefers green tea.");
  const memories = [first, { ...second, ...fields }].map((memory) => aMemory(memory));
  const actions = (await cluster({ memories })).results.map(({ action }) => action);
  expect(actions.filter((action) => action !== "keep_separate")).toEqual([]);
});

test("cluster links two promoted or pinned memories and never merges them", async () => {
  const memories = memoriesOf(...STANDUP).map((memory, at) =>
    aMemory({ ...memory, ...(at === 0 ? { status: "promoted" } : { pinned: true }) }),
  );
  const workspace = workspaceOf({ memories, embedder: deps.embedder });
  const run = await runAgent(createClusterAgent(deps), contextOf(workspace));
  expect(summary(run)).toEqual(["link m1 m2"]);
  expect(run.proposals.flatMap(({ changes }) => changes)).toMatchObject([
    { kind: "relation.put", after: { from: "m1", to: "m2", type: "related" } },
    { kind: "relation.put", after: { from: "m2", to: "m1", type: "related" } },
  ]);
  applyAll(workspace, run.proposals);
  const again = await runAgent(createClusterAgent(deps), contextOf(workspace));
  expect(summary(again)).toEqual(["link m1 m2"]);
  expect(again.proposals.flatMap(({ changes }) => changes)).toEqual([]);
});

test("cluster links what would be too long together", async () => {
  const run = await cluster(
    { memories: memoriesOf(...STANDUP) },
    { tuned: { merge: { maxCharacters: 100 } } },
  );
  expect(summary(run)).toEqual(["link m1 m2"]);
});

test("cluster does not file again what waits, was declined or undone, until a source changes", async () => {
  const memories = memoriesOf(...STANDUP);
  const first = await cluster({ memories });
  const [issue] = opened(first.proposals);
  if (issue === undefined) throw new Error("no issue was opened");
  const again = await cluster({ memories, issues: [issue] });
  expect(summary(again)).toEqual(["auto_merge m1 m2"]);
  expect(again.proposals.flatMap(({ changes }) => changes)).toEqual([]);

  const declined = closeIssueRecord(issue, { reason: "no", by: "person:kim", at: NOW });
  for (const closed of [declined, { ...issue, undone: true as const }]) {
    const run = await cluster({ memories, issues: [closed] });
    expect(run.held).toEqual({ declined: 1 });
    expect(run.results).toEqual([]);
  }
  const edited = memories.map((memory) =>
    memory.id === "m2" ? { ...memory, content: `${memory.content} Bring coffee.` } : memory,
  );
  const after = await cluster({ memories: edited, issues: [declined] });
  expect(opened(after.proposals)).toHaveLength(1);
});

test("cluster closes its issue when the memories have changed since", async () => {
  const memories = memoriesOf(...STANDUP);
  const issues = opened((await cluster({ memories })).proposals);
  const gone = memories.map((memory) =>
    aMemory({ ...memory, ...(memory.id === "m2" ? { status: "archived" } : {}) }),
  );
  const run = await cluster({ memories: gone, issues });
  expect(run.proposals.flatMap(({ changes }) => changes)).toMatchObject([
    { kind: "issue.put", after: { status: "closed", closedBy: "agent:cluster" } },
  ]);
});

test("cluster counts new issues over 24 hours, exact copies apart", async () => {
  const memories = memoriesOf(
    ...STANDUP,
    "The office printer is out of toner again.",
    "The office printer has run out of toner.",
    "Maria prefers green tea.",
    "Maria prefers green tea!",
  );
  const tuned = { issuesPerDay: 1 };
  const first = await cluster({ memories }, { tuned });
  expect(opened(first.proposals).map(({ notes }) => notes.memoryIds.join())).toEqual([
    "m5,m6",
    "m1,m2",
  ]);
  expect(first.held).toEqual({ issues_capped: 1 });
  const journal = journalOf(first.proposals, NOW);
  const issues = opened(first.proposals);
  const hour = { memories, issues, journal, now: NOW + 3_600_000 };
  expect(opened((await cluster(hour, { tuned })).proposals)).toEqual([]);
  const nextDay = { ...hour, now: NOW + DAY_MS };
  expect(opened((await cluster(nextDay, { tuned })).proposals)).toHaveLength(1);
});

test("cluster puts memories at risk first", async () => {
  const fading = { createdAt: NOW - 30 * DAY_MS };
  const memories = [
    ...memoriesOf(...STANDUP),
    aMemory({ id: "x1", content: "Maria prefers green tea.", ...fading }),
    aMemory({ id: "x2", content: "Maria prefers green tea!", ...fading }),
  ];
  const run = await cluster({ memories });
  expect(summary(run)).toEqual(["auto_merge x1 x2", "auto_merge m1 m2"]);
  expect(opened(run.proposals)[0]).toMatchObject({ priority: 1, notes: { urgency: "high" } });
});

test("cluster never groups a chain whose ends are not alike", async () => {
  const run = await cluster({
    memories: memoriesOf(
      "The backup job copies the billing database to cold storage.",
      "The backup job copies the billing database and the logs to cold storage in Frankfurt.",
      "The logs go to cold storage in Frankfurt after the retention period set by legal.",
    ),
  });
  for (const { action, memoryIds } of run.results) {
    if (action === "auto_merge") expect(memoryIds.length).toBeLessThan(3);
  }
});

test("cluster titles show no word of a memory that holds a secret", async () => {
  const secret = `The key is ${"ghp_"}${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  const run = await cluster({ memories: memoriesOf(secret, `${secret}!`) });
  const [issue] = opened(run.proposals);
  expect(issue?.title).not.toContain("ghp_");
});
