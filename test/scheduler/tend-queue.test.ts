import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/model/instant.ts";
import { closeIssueRecord, type Issue } from "../../src/model/issue.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { aMemory, anIssue, BUILT_AT } from "../builders.ts";
import { createRunDeps, fill, tagAgent } from "./run-deps.ts";

async function summaries({ store }: Pick<RunDeps, "store">): Promise<readonly Issue[]> {
  return (await store.read("issue")).filter(({ notes }) => notes.action === "not_filed");
}

async function runOver(issues: readonly Issue[], now: number) {
  const deps = createRunDeps({ now });
  await deps.store.commit(issues.map((after) => ({ record: "issue", before: null, after })));
  const report = await runPipeline(deps);
  const read = async (id: string) => (await deps.store.read("issue", { ids: [id] }))[0];
  return { deps, report, read };
}

test("a run makes an issue that nobody touched for 7 days one urgency more urgent, once", async () => {
  const now = BUILT_AT + 7 * DAY_MS;
  const { deps, report, read } = await runOver([anIssue()], now);
  expect(await read("sw-1")).toMatchObject({
    priority: 1,
    labels: ["consolidation", "consolidation:cluster", "urgency:high"],
    notes: { urgency: "medium" },
    updatedAt: now,
    comments: [{ author: "agent:queue", text: expect.stringContaining("medium becomes high") }],
  });
  expect(report.notes).toEqual([
    "queue: 1 wait for a person (high 1; cluster 1)",
    "queue: 1 untouched for 7 days became more urgent",
  ]);
  const again = await runPipeline(deps);
  expect(await read("sw-1")).toMatchObject({ revision: 2 });
  expect(again.notes).toEqual(["queue: 1 wait for a person (high 1; cluster 1)"]);
  expect(await deps.store.read("journal")).toHaveLength(1);
});

test("an issue goes up again after seven more days, and never beyond high", async () => {
  const low = anIssue({ labels: ["consolidation", "urgency:low"], priority: 3 });
  let now = BUILT_AT;
  const deps = createRunDeps({ clock: { now: () => now } });
  await deps.store.commit([{ record: "issue", before: null, after: low }]);
  const priorities: (number | undefined)[] = [];
  for (const day of [6, 7, 13, 14, 30]) {
    now = BUILT_AT + day * DAY_MS;
    await runPipeline(deps);
    priorities.push((await deps.store.read("issue"))[0]?.priority);
  }
  expect(priorities).toEqual([3, 2, 2, 1, 1]);
});

test("a dry run shows what the queue needs and writes nothing", async () => {
  const deps = createRunDeps({ now: BUILT_AT + 8 * DAY_MS });
  await deps.store.commit([{ record: "issue", before: null, after: anIssue() }]);
  const dry = await runPipeline(deps, { dryRun: true });
  expect((await deps.store.read("issue"))[0]?.revision).toBe(1);
  expect((await runPipeline(deps)).notes).toEqual(dry.notes);
});

test.each([
  ["approved", { labels: ["consolidation", "urgency:medium", "approved"] }],
  ["closed", { status: "closed" }],
  ["held by somebody", { status: "in_progress", leaseUntil: BUILT_AT + 90 * DAY_MS }],
  ["merge work that goes on by itself", { labels: ["urgency:medium", "consolidation:merge"] }],
  ["of an undone run", { undone: true }],
] as const)("an issue that is %s is left alone", async (_name, fields) => {
  const { read } = await runOver([anIssue(fields)], BUILT_AT + 30 * DAY_MS);
  expect(await read("sw-1")).toEqual(anIssue(fields));
});

test("a claim whose lease has run out goes back to open, and one that lasts stays", async () => {
  const claim = { status: "in_progress", claimedBy: "person:ada", claimToken: "t" } as const;
  const now = BUILT_AT + HOUR_MS;
  const { report, read } = await runOver(
    [
      anIssue({ ...claim, leaseUntil: now }),
      anIssue({ ...claim, leaseUntil: now + 1, id: "sw-2", fingerprint: "2" }),
    ],
    now,
  );
  const released = await read("sw-1");
  expect(released).toMatchObject({ status: "open", revision: 2 });
  expect(released).not.toHaveProperty("claimToken");
  expect(await read("sw-2")).toMatchObject({ status: "in_progress", revision: 1 });
  expect(report.notes).toContain("queue: 1 went back to open, as their claims ran out");
});

test("a run over one namespace leaves the queue of the others alone", async () => {
  const deps = createRunDeps({ now: BUILT_AT + 8 * DAY_MS });
  const other = anIssue({ namespace: "work" });
  await deps.store.commit([{ record: "issue", before: null, after: other }]);
  expect((await runPipeline(deps, { filter: { namespace: "home" } })).notes).toEqual([]);
  expect(await deps.store.read("issue")).toEqual([other]);
});

test("what the cap on new issues keeps out is one issue, kept up to date, which closes itself", async () => {
  const deps = createRunDeps({
    createAgents: () => [tagAgent({ tag: "unsure", confidence: 0.5 })],
    settings: settingsSchema.parse({ issuesPerDay: 2 }),
  });
  await fill(
    deps.store,
    ["a", "b", "c", "d", "e"].map((id) => aMemory({ id, content: `memory ${id}` })),
  );
  const { notes, agents } = await runPipeline(deps);
  expect(agents.tagger).toMatchObject({ waiting: 2, gates: { issues_capped: 3 } });
  expect(notes).toContain(
    "queue: 3 more were found and not filed, over the cap on new issues in 24 hours; later runs file them",
  );
  const next = await runPipeline({ ...deps, clock: { now: () => BUILT_AT + DAY_MS } });
  expect(next.agents.tagger).toMatchObject({ waiting: 4, gates: { issues_capped: 1 } });
  expect(await summaries(deps)).toMatchObject([
    { status: "open", title: "1 more finding waits to be filed", revision: 2 },
  ]);
  const again = await runPipeline({ ...deps, clock: { now: () => BUILT_AT + DAY_MS } });
  expect(again.agents.tagger).toMatchObject({ waiting: 4 });
  expect(await summaries(deps)).toMatchObject([{ revision: 2 }]);
  await runPipeline({ ...deps, clock: { now: () => BUILT_AT + 2 * DAY_MS } });
  expect(await summaries(deps)).toMatchObject([
    { status: "closed", closedBy: "agent:queue", closeReason: "all of them are filed by now" },
  ]);
});

test("a run of one agent keeps the summary of the others, and one that a person closed stays closed", async () => {
  const capped = (name: string) => tagAgent({ name, tag: name, confidence: 0.5 });
  const deps = createRunDeps({
    createAgents: () => [capped("first"), capped("second")],
    settings: settingsSchema.parse({ issuesPerDay: 1 }),
  });
  await fill(
    deps.store,
    ["a", "b"].map((id) => aMemory({ id, content: `memory ${id}` })),
  );
  await runPipeline(deps);
  const [before] = await summaries(deps);
  expect(before?.notes.scores).toEqual({ first: 1, second: 2 });
  await runPipeline({ ...deps, settings: settingsSchema.parse({}) }, { agent: "second" });
  const [open] = await summaries(deps);
  expect(open).toMatchObject({ status: "open", notes: { scores: { first: 1 } } });
  if (open === undefined) throw new Error("it is gone");
  const after = closeIssueRecord(open, { reason: "seen", by: "person:ada", at: BUILT_AT });
  await deps.store.commit([{ record: "issue", before: open, after }]);
  await runPipeline(deps);
  expect(await summaries(deps)).toEqual([after]);
});
