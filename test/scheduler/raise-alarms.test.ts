import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/model/instant.ts";
import type { AgentCounts, Run } from "../../src/model/run.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { aMemory, aRun, BUILT_AT } from "../builders.ts";
import { promotingAgent } from "./promoting-agent.ts";
import { createRunDeps, fill, tagAgent } from "./run-deps.ts";

async function withRuns(runs: readonly Run[], agents = () => [tagAgent({ tag: "seen" })]) {
  const deps = createRunDeps({ createAgents: agents, now: BUILT_AT });
  await deps.store.commit(runs.map((after) => ({ record: "run", before: null, after })));
  return deps;
}

function startedAt(...instants: readonly number[]): readonly Run[] {
  return instants.map((at, index) => aRun({ id: `run-${index}`, asOf: at, startedAt: at }));
}

async function notesOf(deps: Awaited<ReturnType<typeof withRuns>>): Promise<string> {
  const report = await runPipeline(deps);
  const record = (await deps.store.read("run")).find(({ id }) => id === report.run.id);
  expect(record?.notes).toEqual(report.notes);
  return report.notes.join("\n");
}

test("a clock before the last run's is said, and one at most a minute behind is not", async () => {
  const back = await withRuns(startedAt(BUILT_AT + 2 * HOUR_MS));
  expect(await notesOf(back)).toContain("before the last one at 2026-03-02T11:00:00.000Z");
  const close = await withRuns(startedAt(BUILT_AT + 30_000));
  expect(await notesOf(close)).not.toContain("clock:");
});

test("a leap of the clock is said where runs were regular, and a long pause among long pauses is not", async () => {
  const nightly = [12, 11, 10].map((days) => BUILT_AT - days * DAY_MS);
  expect(await notesOf(await withRuns(startedAt(...nightly)))).toContain("10 days have passed");
  const seldom = [30, 20, 10].map((days) => BUILT_AT - days * DAY_MS);
  expect(await notesOf(await withRuns(startedAt(...seldom)))).not.toContain("clock:");
  const weekend = [5, 4, 3].map((days) => BUILT_AT - days * DAY_MS);
  expect(await notesOf(await withRuns(startedAt(...weekend)))).not.toContain("clock:");
});

const NOTHING: AgentCounts = {
  ...{ scanned: 3, planned: 0, applied: 0, waiting: 0, skipped: 0, failed: 0 },
  gates: {},
};

function fourNights(agents: Run["agents"]): readonly Run[] {
  return [4, 3, 2, 1].map((days) => {
    const at = BUILT_AT - days * DAY_MS;
    return aRun({ id: `run-${days}`, asOf: at, startedAt: at, agents });
  });
}

test("runs that change nothing while an issue waits say so after the fifth", async () => {
  const agents = () => [tagAgent({ tag: "seen", confidence: 0.5 })];
  const deps = await withRuns(fourNights({ tagger: NOTHING }), agents);
  await fill(deps.store, [aMemory()]);
  expect(await notesOf(deps)).toContain("the last 5 runs changed nothing, while 1 issue waits");
  const few = await withRuns(fourNights({ tagger: NOTHING }).slice(1), agents);
  await fill(few.store, [aMemory()]);
  expect(await notesOf(few)).not.toContain("changed nothing");
});

test("runs that change nothing while nothing waits, or of which one changed something, say nothing", async () => {
  const idle = await withRuns(fourNights({ tagger: NOTHING }));
  expect(await notesOf(idle)).toBe("");
  const busy = await withRuns(fourNights({ tagger: { ...NOTHING, applied: 1 } }), () => [
    tagAgent({ tag: "seen", confidence: 0.5 }),
  ]);
  await fill(busy.store, [aMemory()]);
  expect(await notesOf(busy)).not.toContain("changed nothing");
});

test("five runs that promote nothing though candidates wait say so once, with what holds them", async () => {
  const held = { promote: { ...NOTHING, gates: { no_vault: 1, below_threshold: 7 } } };
  const deps = await withRuns(fourNights(held), () => [promotingAgent()]);
  await fill(deps.store, [aMemory({ tags: ["keep"] })]);
  expect(await notesOf(deps)).toContain(
    "promote: nothing was promoted in the last 5 runs, though candidates wait (now: 1 no vault)",
  );
  const next = { ...deps, clock: { now: () => BUILT_AT + DAY_MS } };
  expect(await notesOf(next)).not.toContain("promote: nothing");
});

test("runs without anything to promote are no alarm", async () => {
  const deps = await withRuns(
    fourNights({ promote: { ...NOTHING, gates: { below_threshold: 7 } } }),
    () => [promotingAgent()],
  );
  await fill(deps.store, [aMemory()]);
  expect(await notesOf(deps)).not.toContain("promote: nothing");
});

test("what lasts is said once, and again when it comes back", async () => {
  const agents = () => [tagAgent({ tag: "seen", confidence: 0.5 })];
  const deps = await withRuns(fourNights({ tagger: NOTHING }), agents);
  await fill(deps.store, [aMemory()]);
  expect(await notesOf(deps)).toContain("changed nothing");
  const night = (days: number) => ({
    ...deps,
    clock: { now: () => BUILT_AT + days * DAY_MS },
  });
  for (const days of [1, 2, 3]) expect(await notesOf(night(days))).not.toContain("changed nothing");
  const busy = { ...night(4), createAgents: () => [tagAgent({ tag: "other" })] };
  await runPipeline(busy);
  for (const days of [5, 6, 7, 8])
    expect(await notesOf(night(days))).not.toContain("changed nothing");
  expect(await notesOf(night(9))).toContain("the last 5 runs changed nothing");
});

test("a run dated in the future is said to be once, not every night until then", async () => {
  const deps = await withRuns(startedAt(BUILT_AT + 300 * DAY_MS));
  expect(await notesOf(deps)).toContain("clock: it is");
  expect(await notesOf({ ...deps, clock: { now: () => BUILT_AT + DAY_MS } })).not.toContain(
    "clock",
  );
});

test("memories dated in the future are counted, once, and the first is named", async () => {
  const deps = await withRuns([]);
  const createdAt = BUILT_AT + 9 * DAY_MS;
  await fill(deps.store, [aMemory(), aMemory({ id: "ahead", createdAt })]);
  expect(await notesOf(deps)).toContain(
    "1 memory is dated in the future (ahead: 2026-03-11T09:00:00.000Z)",
  );
  expect(await notesOf(deps)).not.toContain("dated in the future");
});

test("a twelfth run within an hour asks whether that is meant, once a day", async () => {
  const minutes = Array.from({ length: 11 }, (_, index) => BUILT_AT - (index + 1) * 60_000);
  const deps = await withRuns(startedAt(...minutes));
  expect(await notesOf(deps)).toContain("often: 12 runs within an hour");
  expect(await notesOf(deps)).not.toContain("often");
  expect(await notesOf(await withRuns(startedAt(...minutes.slice(1))))).not.toContain("often");
});
