import { expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/model/instant.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { runScheduled } from "../../src/scheduler/run-scheduled.ts";
import { aRun, BUILT_AT } from "../builders.ts";
import { createRunDeps, tagAgent } from "./run-deps.ts";

test("runScheduled skips until the interval since the last completed pipeline run has passed", async () => {
  const deps = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  const at = (ms: number) => ({ ...deps, clock: { now: () => BUILT_AT + ms } });
  const hourly = { intervalHours: 1 };

  expect(await runScheduled(at(0), hourly)).toMatchObject({ skipped: false });
  const early = await runScheduled(at(HOUR_MS - 60_000), hourly);
  expect(early).toMatchObject({
    skipped: true,
    reason: expect.stringContaining("2026-03-02T10:00:00.000Z"),
  });
  expect(await runScheduled(at(HOUR_MS - 60_000), { ...hourly, force: true })).toMatchObject({
    skipped: false,
  });
  expect(await runScheduled(at(2 * HOUR_MS), hourly)).toMatchObject({ skipped: false });
});

test("runScheduled counts neither single agents, nor dry runs, nor runs dated in the future", async () => {
  const deps = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  await runPipeline(deps, { agent: "tagger" });
  await runPipeline(deps, { dryRun: true });
  await runPipeline({ ...deps, clock: { now: () => BUILT_AT + DAY_MS } });
  expect(await runScheduled(deps, { intervalHours: 1 })).toMatchObject({ skipped: false });
});

test("a trigger that repeats each minute is stopped where its runs fail or change nothing, whatever the interval", async () => {
  const deps = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  const failed = Array.from({ length: 12 }, (_, index) => {
    const startedAt = BUILT_AT - (index + 1) * 60_000;
    return aRun({ id: `run-${index}`, asOf: startedAt, startedAt, status: "failed", agents: {} });
  });
  await deps.store.commit(failed.map((after) => ({ record: "run", before: null, after })));
  const often = { intervalHours: 0 };
  expect(await runScheduled(deps, often)).toMatchObject({
    skipped: true,
    reason: expect.stringContaining("12 runs within an hour changed nothing"),
  });
  expect(await runScheduled(deps, { ...often, force: true })).toMatchObject({ skipped: false });
  const later = { ...deps, clock: { now: () => BUILT_AT + 50 * 60_000 } };
  expect(await runScheduled(later, often)).toMatchObject({ skipped: false });
});
