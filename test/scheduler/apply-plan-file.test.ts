import { expect, test } from "vitest";
import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import { reviseMemory } from "../../src/model/memory.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import { applyPlanFile } from "../../src/scheduler/apply-plan-file.ts";
import { createPlanFile, parsePlanFile } from "../../src/scheduler/plan-file.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { planRun } from "../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { aMemory, BUILT_AT } from "../builders.ts";
import { createRunDeps, fill, tagAgent } from "./run-deps.ts";

async function tagging(fields: Partial<RunDeps> = {}) {
  const deps = createRunDeps({
    createAgents: () => [
      tagAgent({ name: "one", tag: "one" }),
      tagAgent({ name: "two", tag: "two" }),
    ],
    ...fields,
  });
  await fill(deps.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  return deps;
}

async function planText(deps: RunDeps): Promise<string> {
  return JSON.stringify(createPlanFile({ ...(await planRun(deps)), deps, summary: [] }));
}

async function tagsOf(deps: RunDeps) {
  return (await deps.store.read("memory")).map(({ tags }) => tags);
}

test("a plan is applied a day later as it was written, as a run of that day, and can be undone", async () => {
  const deps = await tagging();
  const file = parsePlanFile(await planText(deps), "plan.json");
  const tomorrow = { ...deps, clock: { now: () => BUILT_AT + DAY_MS } };
  const { run } = await applyPlanFile(tomorrow, file);
  expect(await tagsOf(deps)).toEqual([
    ["one", "two"],
    ["one", "two"],
  ]);
  expect(await deps.store.read("run")).toMatchObject([
    { scope: "apply", asOf: BUILT_AT + DAY_MS, planHash: file.hash },
  ]);
  expect(await undoRun(tomorrow, run.id)).toMatchObject({ applied: 2, refused: [] });
});

test("a proposal whose record moved is refused with those that follow on it, and the rest is applied", async () => {
  const deps = await tagging();
  const file = parsePlanFile(await planText(deps), "plan.json");
  const before = aMemory({ id: "a" });
  const after = reviseMemory(before, { content: "Another text" });
  await deps.store.commit([{ record: "memory", before, after }]);
  const report = await applyPlanFile(deps, file);
  expect(report.run.status).toBe("failed");
  expect(report.fates.map(({ proposal, fate, why }) => [proposal.id, fate, why])).toEqual([
    ["one:a:one", "refused", "a has changed since the plan was made"],
    ["one:b:one", "applied", undefined],
    ["two:a:two", "refused", "a has changed since the plan was made"],
    ["two:b:two", "applied", undefined],
  ]);
  expect(await tagsOf(deps)).toEqual([[], ["one", "two"]]);
});

test("a part of a plan is applied by agent or proposal, and what needs the rest is refused", async () => {
  const deps = await tagging();
  const file = parsePlanFile(await planText(deps), "plan.json");
  const second = await applyPlanFile(deps, file, { only: ["two:b:two"] });
  expect(second.fates).toMatchObject([{ fate: "refused" }]);
  const first = await applyPlanFile(deps, file, { only: ["one:a:one"] });
  expect(first.fates).toMatchObject([{ fate: "applied" }]);
  expect(await tagsOf(deps)).toEqual([["one"], []]);
  await applyPlanFile(deps, file, { only: ["one", "two"] });
  expect(await tagsOf(deps)).toEqual([
    ["one", "two"],
    ["one", "two"],
  ]);
  await expect(applyPlanFile(deps, file, { only: ["three"] })).rejects.toMatchObject({
    code: "usage",
  });
});

test("a plan of another store, of a newer format, or edited after it was made is refused", async () => {
  const deps = await tagging();
  const text = await planText(deps);
  const other = createMemoryStore({ embedder: createHashEmbedder(), storeId: "another" });
  const file = parsePlanFile(text, "plan.json");
  await expect(applyPlanFile({ ...deps, store: other }, file)).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining("another store"),
  });
  const newer = text.replace('"format":1', '"format":2');
  expect(() => parsePlanFile(newer, "plan.json")).toThrow("a plan of format 2");
  const edited = text.replace('"tags":["one"]', '"tags":["mine"]');
  expect(edited).not.toBe(text);
  expect(() => parsePlanFile(edited, "plan.json")).toThrow("edited after it was made");
  expect(() => parsePlanFile("{}", "plan.json")).toThrow("this is no plan");
  expect(() => parsePlanFile("no JSON", "plan.json")).toThrow("this is no plan");
});

test("a plan made under other settings is applied as it is, and the report says so", async () => {
  const deps = await tagging();
  const file = parsePlanFile(await planText(deps), "plan.json");
  const settings = settingsSchema.parse({ issuesPerDay: 7 });
  const report = await applyPlanFile({ ...deps, settings }, file);
  expect(report.run.status).toBe("completed");
  expect(report.notes.join()).toContain(
    "the settings have changed since it was made (issuesPerDay); it is applied as it is",
  );
});
