import { expect, test } from "vitest";
import { createMemoryVault } from "../../../src/adapters/memory/memory-vault.ts";
import {
  createMemoryVersionControl,
  type MemoryCommit,
} from "../../../src/adapters/memory/memory-version-control.ts";
import { HOUR_MS } from "../../../src/model/instant.ts";
import { reviseMemory } from "../../../src/model/memory.ts";
import type { MemoryStore } from "../../../src/ports/memory-store.ts";
import { runPipeline } from "../../../src/scheduler/run-pipeline.ts";
import { runScheduled } from "../../../src/scheduler/run-scheduled.ts";
import { undoRun } from "../../../src/scheduler/undo/undo-run.ts";
import { aMemory, BUILT_AT } from "../../builders.ts";
import { promotingAgent } from "../promoting-agent.ts";
import { createRunDeps, fill, tagAgent } from "../run-deps.ts";

function taggingDeps(confidence = 1) {
  return createRunDeps({ createAgents: () => [tagAgent({ tag: "seen", confidence })] });
}

async function memoryOf(store: MemoryStore, id: string) {
  const [memory] = await store.read("memory", { ids: [id] });
  if (memory === undefined) throw new Error(`no memory ${id}`);
  return memory;
}

async function edit(store: MemoryStore, id: string): Promise<void> {
  const before = await memoryOf(store, id);
  const after = reviseMemory(before, { content: `${before.content} (edited)` });
  await store.commit([{ record: "memory", before, after }]);
}

test("an undo is a run of its own, with its journal, and does not count for the interval", async () => {
  const deps = taggingDeps();
  await fill(deps.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  const { run } = await runPipeline(deps, { agent: "tagger" });
  const undo = await undoRun(deps, run.id);
  expect(undo).toMatchObject({ undoes: run.id, applied: 2, refused: [] });
  const [record] = (await deps.store.read("run")).filter(({ scope }) => scope === "undo");
  expect(record).toMatchObject({ id: undo.run.id, undoes: run.id, status: "completed" });
  const journal = await deps.store.read("journal");
  expect(journal.map(({ runId }) => runId).sort()).toEqual([run.id, undo.run.id].sort());
  expect(await runScheduled(deps, { intervalHours: 1 })).toMatchObject({ skipped: false });
});

test("a record that was changed since is refused by name, and the others are taken back", async () => {
  const deps = taggingDeps();
  await fill(deps.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  const { run } = await runPipeline(deps);
  await edit(deps.store, "a");
  const undo = await undoRun(deps, run.id);
  expect(undo).toMatchObject({
    run: { status: "failed" },
    applied: 1,
    refused: [{ id: "a", reason: "was changed since the run" }],
  });
  expect((await memoryOf(deps.store, "a")).tags).toContain("seen");
  expect((await memoryOf(deps.store, "b")).tags).not.toContain("seen");
});

test("a record that a later run changed names that run, and undoing that one first clears the way", async () => {
  const deps = createRunDeps({
    createAgents: () => [
      tagAgent({ name: "one", tag: "one" }),
      tagAgent({ name: "two", tag: "two" }),
    ],
  });
  await fill(deps.store, [aMemory({ id: "a" })]);
  const first = await runPipeline(deps, { agent: "one" });
  const second = await runPipeline(deps, { agent: "two" });
  expect((await undoRun(deps, first.run.id)).refused).toEqual([
    { id: "a", reason: `was changed again by ${second.run.id}: undo that first` },
  ]);
  await undoRun(deps, second.run.id);
  expect(await undoRun(deps, first.run.id)).toMatchObject({ applied: 1, refused: [] });
  expect(await memoryOf(deps.store, "a")).toEqual(aMemory({ id: "a" }));
});

test("what was undone is declined until its memory changes", async () => {
  const deps = taggingDeps();
  await fill(deps.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  const { run } = await runPipeline(deps);
  await undoRun(deps, run.id);
  expect((await runPipeline(deps)).agents.tagger).toMatchObject({
    applied: 0,
    gates: { declined: 2 },
  });
  await edit(deps.store, "a");
  expect((await runPipeline(deps)).agents.tagger).toMatchObject({
    applied: 1,
    gates: { declined: 1 },
  });
});

test("an issue that an undone run opened is gone from sight and not opened again", async () => {
  const deps = taggingDeps(0.5);
  await fill(deps.store, [aMemory({ id: "a" })]);
  const { run } = await runPipeline(deps);
  expect(await deps.store.read("issue")).toMatchObject([{ status: "open" }]);
  await undoRun(deps, run.id);
  expect(await deps.store.read("issue")).toMatchObject([{ status: "closed", undone: true }]);
  expect((await runPipeline(deps)).agents.tagger).toMatchObject({ waiting: 0 });
});

test("a promotion is taken back with its note, in a git commit of its own", async () => {
  const notes = new Map<string, string>();
  const commits: MemoryCommit[] = [];
  const deps = createRunDeps({
    createAgents: () => [promotingAgent()],
    vault: createMemoryVault({ notes }),
    versionControl: createMemoryVersionControl({ notes, commits }),
  });
  await fill(deps.store, [aMemory({ id: "a", tags: ["keep"] })]);
  const { run } = await runPipeline(deps);
  const undo = await undoRun(deps, run.id);
  expect(undo).toMatchObject({ applied: 2, refused: [] });
  expect([...notes]).toEqual([]);
  expect((await memoryOf(deps.store, "a")).status).toBe("active");
  expect(commits).toMatchObject([
    { runId: run.id, paths: ["Memories/a.md"] },
    {
      runId: undo.run.id,
      paths: ["Memories/a.md"],
      message: `Undo run ${run.id}: take back 1 note`,
    },
  ]);
});

test("a note that a person edited stays, and is listed, while its memory is taken back", async () => {
  const notes = new Map<string, string>();
  const deps = createRunDeps({
    createAgents: () => [promotingAgent()],
    vault: createMemoryVault({ notes }),
  });
  await fill(deps.store, [aMemory({ id: "a", tags: ["keep"] })]);
  const { run } = await runPipeline(deps);
  notes.set("Memories/a.md", "mine now");
  expect(await undoRun(deps, run.id)).toMatchObject({
    applied: 1,
    refused: [{ id: "Memories/a.md", reason: "was edited since the run, and stays" }],
  });
  expect(notes.get("Memories/a.md")).toBe("mine now");
});

test("a note that a later run rewrote is still ours to remove", async () => {
  const notes = new Map<string, string>();
  const vault = createMemoryVault({ notes });
  const deps = createRunDeps({ createAgents: () => [promotingAgent()], vault });
  await fill(deps.store, [aMemory({ id: "a", tags: ["keep"] })]);
  const { run } = await runPipeline(deps);
  const loadNoteFormat = async () => ({
    ...(await deps.loadNoteFormat()),
    compose: () => ({ kind: "text", text: "# Another form\n" }) as const,
  });
  await runPipeline({ ...deps, loadNoteFormat, clock: { now: () => BUILT_AT + HOUR_MS } });
  expect(notes.get("Memories/a.md")).toBe("# Another form\n");
  expect(await undoRun(deps, run.id)).toMatchObject({ applied: 2, refused: [] });
  expect([...notes]).toEqual([]);
});

test("a note whose memory stays promoted stays with it", async () => {
  const notes = new Map<string, string>();
  const deps = createRunDeps({
    createAgents: () => [promotingAgent()],
    vault: createMemoryVault({ notes }),
  });
  await fill(deps.store, [aMemory({ id: "a", tags: ["keep"] })]);
  const { run } = await runPipeline(deps);
  await edit(deps.store, "a");
  expect((await undoRun(deps, run.id)).refused).toEqual([
    { id: "a", reason: "was changed since the run" },
    { id: "Memories/a.md", reason: "its memory stays as it is" },
  ]);
  expect(notes.size).toBe(1);
});

test("an undo that died after its notes were taken back is finished by the next run", async () => {
  const notes = new Map<string, string>();
  const deps = createRunDeps({
    createAgents: () => [promotingAgent()],
    vault: createMemoryVault({ notes }),
  });
  await fill(deps.store, [aMemory({ id: "a", tags: ["keep"] })]);
  const { run } = await runPipeline(deps);
  let left = 2;
  const dying: MemoryStore = {
    ...deps.store,
    commit: async (puts) => {
      if (left === 0) throw new Error("killed");
      left -= 1;
      return await deps.store.commit(puts);
    },
  };
  await expect(undoRun({ ...deps, store: dying }, run.id)).rejects.toThrow("killed");
  expect(notes.size).toBe(0);
  expect((await memoryOf(deps.store, "a")).status).toBe("promoted");
  const report = await runPipeline(deps);
  expect(report.notes.join()).toContain("recovery: finished batch");
  expect((await memoryOf(deps.store, "a")).status).toBe("active");
});

test("an unknown run is an error that says where runs are listed", async () => {
  await expect(undoRun(taggingDeps(), "run-none")).rejects.toMatchObject({
    code: "not_found",
    hint: expect.stringContaining("slowwave runs"),
  });
});
