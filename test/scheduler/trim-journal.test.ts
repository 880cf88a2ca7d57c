import { expect, test } from "vitest";
import { createMemoryVault } from "../../src/adapters/memory/memory-vault.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import { lastWrittenNotes } from "../../src/scheduler/last-written.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { aMemory, BUILT_AT } from "../builders.ts";
import { promotingAgent } from "./promoting-agent.ts";
import { createRunDeps, fill, tagAgent } from "./run-deps.ts";

function at(days: number, base = createRunDeps()) {
  const settings = settingsSchema.parse({ journalDays: 40 });
  return { ...base, settings, clock: { now: () => BUILT_AT + days * DAY_MS } };
}

test("the journal is kept for as long as it is configured, and an undo of an older run says so", async () => {
  const base = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  await fill(base.store, [aMemory({ id: "a" })]);
  const { run } = await runPipeline(at(0, base));
  await fill(base.store, [aMemory({ id: "b" })]);
  const later = await runPipeline(at(30, base));
  expect(await base.store.read("journal")).toHaveLength(2);

  await runPipeline(at(48, base), { dryRun: true });
  expect(await base.store.read("journal")).toHaveLength(2);
  await runPipeline(at(48, base));
  expect((await base.store.read("journal")).map(({ runId }) => runId)).toEqual([later.run.id]);
  for (const dryRun of [true, false]) {
    await expect(undoRun(at(48, base), run.id, { dryRun })).rejects.toMatchObject({
      code: "not_found",
      message: expect.stringContaining("kept for 40 days"),
    });
  }
  expect(await undoRun(at(48, base), later.run.id)).toMatchObject({ applied: 1, refused: [] });
});

test("what a note said when it was written last outlives the journal", async () => {
  const base = createRunDeps({
    createAgents: () => [promotingAgent()],
    vault: createMemoryVault(),
  });
  await fill(base.store, [aMemory({ id: "a", content: "Alpha", tags: ["keep"] })]);
  const { run } = await runPipeline(at(0, base));
  await runPipeline(at(100, base));
  const [entry] = await base.store.read("journal");
  expect(entry).toMatchObject({ runId: run.id, trimmed: true, steps: [] });
  expect(await lastWrittenNotes(base.store)("Memories/a.md")).toBe("# Alpha\n");
  await expect(undoRun(at(100, base), run.id)).rejects.toMatchObject({ code: "not_found" });
  await runPipeline(at(200, base));
  expect(await base.store.read("journal")).toEqual([entry]);
});
