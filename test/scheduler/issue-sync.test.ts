import { expect, test } from "vitest";
import { createMemoryTracker } from "../../src/adapters/memory/memory-tracker.ts";
import { SlowwaveError } from "../../src/model/errors.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import type { Issue } from "../../src/model/issue.ts";
import type { IssueMirror } from "../../src/ports/issue-tracker.ts";
import { applyPlanFile } from "../../src/scheduler/apply-plan-file.ts";
import { createPlanFile } from "../../src/scheduler/plan-file.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { planRun, runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { aMemory, BUILT_AT } from "../builders.ts";
import { createRunDeps, fill, tagAgent } from "./run-deps.ts";

const ADA = { by: "person:ada", at: BUILT_AT };

/** A store and a tracker outside of it, with an agent that is not sure. */
async function aWorkshop() {
  const outside = createMemoryTracker();
  const deps: RunDeps = {
    ...createRunDeps({ createAgents: () => [tagAgent({ tag: "unsure", confidence: 0.5 })] }),
    mirror: outside,
  };
  await fill(deps.store, [aMemory({ id: "a" })]);
  return { deps, outside };
}

async function onlyIssue(list: Promise<readonly Issue[]>): Promise<Issue> {
  const [issue, ...others] = await list;
  expect(others).toEqual([]);
  if (issue === undefined) throw new Error("there is no issue");
  return issue;
}

async function openRows({ store }: RunDeps): Promise<number> {
  return (await store.read("outbox", { state: ["open"] })).length;
}

/** A mirror that fails as told, and counts what it wrote. */
function aMirror(outside: IssueMirror, fails: () => "before" | "after" | undefined) {
  const written: string[] = [];
  const mirror: IssueMirror = {
    readAll: () => outside.readAll(),
    writeAll: async (decide) => {
      if (fails() === "before") throw new SlowwaveError("tracker", "bd is away");
      await outside.writeAll((found) => {
        const writes = decide(found);
        written.push(...writes.map(({ op }) => op));
        return writes;
      });
      // As if the process had been killed here: no predicted failure, so nothing catches it.
      if (fails() === "after") throw new Error("killed");
    },
  };
  return { mirror, written };
}

test("what a run decides about issues arrives in the tracker outside, once", async () => {
  const { deps, outside } = await aWorkshop();
  await runPipeline(deps);
  const inside = await onlyIssue(deps.store.read("issue"));
  expect(await onlyIssue(outside.query({}))).toEqual(inside);
  expect(await openRows(deps)).toBe(0);
  await runPipeline(deps);
  expect(await onlyIssue(outside.query({}))).toEqual(inside);
});

test("a dry run sees what people did outside, and writes neither side", async () => {
  const { deps, outside } = await aWorkshop();
  await runPipeline(deps);
  const { id } = await onlyIssue(deps.store.read("issue"));
  const approved = await outside.approve(id, ADA);
  const before = await deps.store.read("issue");
  const dry = await runPipeline(deps, { dryRun: true });
  expect(dry.agents.tagger).toMatchObject({ planned: 1, waiting: 0 });
  expect(dry.fates[0]?.fate).toBe("planned");
  expect(await deps.store.read("issue")).toEqual(before);
  expect(await onlyIssue(outside.query({}))).toEqual(approved);
});

test("an approval given outside is carried out by the next run, and closed on both sides", async () => {
  const { deps, outside } = await aWorkshop();
  await runPipeline(deps);
  const { id } = await onlyIssue(deps.store.read("issue"));
  await outside.approve(id, ADA);
  const report = await runPipeline(deps);
  expect(report.agents.tagger).toMatchObject({ applied: 1 });
  expect(report.notes).toContain("tracker: took in what people did there with 1 issue");
  const inside = await onlyIssue(deps.store.read("issue"));
  expect(inside).toMatchObject({ status: "closed", closedBy: "agent:tagger" });
  expect(await onlyIssue(outside.query({ status: ["closed"] }))).toEqual(inside);
});

test("a close by a person outside declines the finding, and the memory stays as it is", async () => {
  const { deps, outside } = await aWorkshop();
  await runPipeline(deps);
  const { id } = await onlyIssue(deps.store.read("issue"));
  await outside.close(id, "approved, do it", ADA);
  for (const _night of [1, 2]) {
    const report = await runPipeline(deps);
    expect(report.agents.tagger).toMatchObject({ applied: 0, waiting: 0 });
  }
  expect((await deps.store.read("memory"))[0]?.tags).toEqual([]);
  expect(await onlyIssue(outside.query({ status: ["closed"] }))).toMatchObject({
    closedBy: "person:ada",
  });
});

test("a plan made and applied with a tracker outside ends as a run does", async () => {
  const { deps, outside } = await aWorkshop();
  await runPipeline(deps);
  const { id } = await onlyIssue(deps.store.read("issue"));
  await outside.approve(id, ADA);
  const { plan, snapshot } = await planRun(deps);
  const file = createPlanFile({ plan, snapshot, deps, summary: [] });
  const report = await applyPlanFile(deps, file);
  expect(report.agents.tagger).toMatchObject({ applied: 1 });
  expect(await onlyIssue(outside.query({ status: ["closed"] }))).toEqual(
    await onlyIssue(deps.store.read("issue")),
  );
});

test("a tracker that fails keeps what is owed, says so, and is told by the next run", async () => {
  const { deps, outside } = await aWorkshop();
  let isAway = true;
  const { mirror, written } = aMirror(outside, () => (isAway ? "before" : undefined));
  const failing = { ...deps, mirror };
  const report = await runPipeline(failing);
  expect(report.notes).toContain(
    "tracker: 1 issue waits to be written by the next run: bd is away",
  );
  expect(await openRows(deps)).toBe(1);
  isAway = false;
  expect((await runPipeline(failing)).notes).toEqual(
    expect.not.arrayContaining([expect.stringContaining("to be written")]),
  );
  expect(written).toHaveLength(1);
  expect(await openRows(deps)).toBe(0);
  expect(await onlyIssue(outside.query({}))).toEqual(await onlyIssue(deps.store.read("issue")));
});

test("a run killed between the tracker's write and its row writes that operation once", async () => {
  const { deps, outside } = await aWorkshop();
  let isKilled = true;
  const { mirror, written } = aMirror(outside, () => (isKilled ? "after" : undefined));
  const failing = { ...deps, mirror };
  await expect(runPipeline(failing)).rejects.toThrow("killed");
  isKilled = false;
  await runPipeline(failing);
  expect(written).toHaveLength(1);
  expect(await openRows(deps)).toBe(0);
  expect(await onlyIssue(outside.query({}))).toMatchObject({ status: "open", revision: 1 });
});

test("a person's word that falls between a failed write and the next run is kept with the run's", async () => {
  const { deps, outside } = await aWorkshop();
  await runPipeline(deps);
  const { id } = await onlyIssue(deps.store.read("issue"));
  let isAway = true;
  const { mirror } = aMirror(outside, () => (isAway ? "before" : undefined));
  // A week later the run makes it more urgent, and cannot tell.
  const later = { ...deps, mirror, clock: { now: () => BUILT_AT + 40 * DAY_MS } };
  const report = await runPipeline(later);
  expect(report.notes.join("\n")).toContain("1 issue waits to be written");
  await outside.close(id, "both are right", { ...ADA, at: BUILT_AT + 41 * DAY_MS });
  isAway = false;
  await runPipeline({ ...later, clock: { now: () => BUILT_AT + 42 * DAY_MS } });
  const inside = await onlyIssue(deps.store.read("issue"));
  expect(inside).toMatchObject({
    status: "closed",
    closedBy: "person:ada",
    closeReason: "both are right",
  });
  expect(inside.comments.map(({ author }) => author)).toContain("agent:queue");
  expect(await onlyIssue(outside.query({ status: ["closed"] }))).toEqual(inside);
});

test("issues made before the tracker was chosen arrive there, and one deleted there counts as declined", async () => {
  const { deps } = await aWorkshop();
  const { mirror: _none, ...embedded } = deps;
  await runPipeline(embedded);
  const outside = createMemoryTracker();
  await runPipeline({ ...deps, mirror: outside });
  const inside = await onlyIssue(deps.store.read("issue"));
  expect(await onlyIssue(outside.query({}))).toEqual(inside);
  const emptied = createMemoryTracker();
  await runPipeline({ ...deps, mirror: emptied });
  expect(await onlyIssue(deps.store.read("issue"))).toMatchObject({
    status: "closed",
    closeReason: "deleted from the tracker",
  });
});

test("undoing a run closes its issue outside too", async () => {
  const { deps, outside } = await aWorkshop();
  const { run } = await runPipeline(deps);
  await undoRun(deps, run.id);
  const [record] = await outside.readAll();
  expect(record?.record).toEqual(await onlyIssue(deps.store.read("issue")));
  expect(await outside.query({ status: ["open"] })).toEqual([]);
});

test("a run does nothing where the tracker outside cannot be read", async () => {
  const { deps } = await aWorkshop();
  const mirror: IssueMirror = {
    readAll: async () => {
      throw new SlowwaveError("tracker", "bd is away", { hint: "Install it." });
    },
    writeAll: async () => undefined,
  };
  await expect(runPipeline({ ...deps, mirror })).rejects.toMatchObject({ code: "tracker" });
  expect(await deps.store.read("issue")).toEqual([]);
});

test("an issue that was purged from the store does not come back from the tracker", async () => {
  const { deps, outside } = await aWorkshop();
  await runPipeline(deps);
  const issue = await onlyIssue(deps.store.read("issue"));
  expect(await deps.store.purge([{ record: "issue", value: issue }])).toEqual({ ok: true });
  await runPipeline({ ...deps, createAgents: () => [] });
  expect(await deps.store.read("issue")).toEqual([]);
  expect(await outside.query({})).toHaveLength(1);
});
