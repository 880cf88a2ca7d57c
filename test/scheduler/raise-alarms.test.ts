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

test("five runs without a promotion say which gates held it", async () => {
  const deps = await withRuns(fourNights({ promote: NOTHING }), () => [promotingAgent()]);
  await fill(deps.store, [aMemory({ tags: ["keep"] })]);
  expect(await notesOf(deps)).toContain(
    "promote: nothing was promoted in the last 5 runs (now: 1 no vault)",
  );
});
