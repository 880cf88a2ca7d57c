import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { isLive, type Memory, memoryKey, reviseMemory } from "../../src/model/memory.ts";
import { fingerprintOfProposal } from "../../src/scheduler/gate.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { createPromiseRun, emptyStores, exportLines } from "./promise-runs.ts";
import { storeContent } from "./stores.ts";

/** What undo promises, over random stores. */

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

const STORES = emptyStores(() => real);

test.each(STORES)(
  "an undone run leaves the export and the notes of before, and undoing that those of after ($name)",
  async ({ open, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(storeContent, async (content) => {
        const notes = new Map<string, string>();
        const deps = await createPromiseRun({ real, store: await open(), content, notes });
        const before = await exportLines(deps.store);
        const { run } = await runPipeline(deps);
        const after = await exportLines(deps.store);
        const written = [...notes].sort();

        const dry = await undoRun(deps, run.id, { dryRun: true });
        expect(await exportLines(deps.store)).toEqual(after);
        const undo = await undoRun(deps, run.id);
        expect(undo).toMatchObject({ refused: [], applied: dry.applied });
        expect(await exportLines(deps.store)).toEqual(before);
        // Nothing is deleted: what was a note stands in the archive, and says so.
        expect([...notes].filter(([path, text]) => !isRetired(path, text))).toEqual([]);

        expect(await undoRun(deps, run.id)).toMatchObject({ refused: [], applied: 0 });
        expect((await undoRun(deps, undo.run.id)).refused).toEqual([]);
        expect(await exportLines(deps.store)).toEqual(after);
        expect([...notes].sort()).toEqual(written);

        expect((await undoRun(deps, run.id)).refused).toEqual([]);
        expect(await exportLines(deps.store)).toEqual(before);
      }),
      { numRuns },
    );
  },
);

test.each(STORES)(
  "what was undone is not done again by the next run, and nothing of it is refused ($name)",
  async ({ open, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(storeContent, async (content) => {
        const deps = await createPromiseRun({ real, store: await open(), content });
        const first = await runPipeline(deps);
        const isDoing = ({ fate, proposal }: (typeof first.fates)[number]) =>
          fate === "applied" && proposal.finding.members.length > 0;
        const undone = new Set(
          first.fates.filter(isDoing).map(({ proposal }) => fingerprintOfProposal(proposal)),
        );
        await undoRun(deps, first.run.id);
        const second = await runPipeline(deps);
        expect(second.fates.filter(({ fate }) => fate === "refused")).toEqual([]);
        const again = second.fates
          .filter(isDoing)
          .map(({ proposal }) => proposal)
          .filter((proposal) => undone.has(fingerprintOfProposal(proposal)));
        expect(again.map(({ id }) => id)).toEqual([]);
      }),
      { numRuns },
    );
  },
);

test("records that someone changed since stay as they are and are named, and all others are as before", async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(storeContent, fc.infiniteStream(fc.boolean()), async (content, picks) => {
      const store = createMemoryStore({ embedder: real.embedder });
      const deps = await createPromiseRun({ real, store, content });
      const before = byKey(await store.read("memory"));
      const { run } = await runPipeline(deps);
      const live = (await store.read("memory")).filter(isLive);
      const edits = live.filter(() => picks.next().value === true).map(edit);
      await store.commit(edits);
      const edited = byKey(edits.map(({ after }) => after));

      const kept = new Set((await undoRun(deps, run.id)).refused.map(({ id }) => id));
      refusals += kept.size;
      const after = await store.read("memory");
      expect(after.filter(({ tags }) => tags.includes("edited"))).toEqual([...edited.values()]);
      const rest = after.filter((memory) => !edited.has(memoryKey(memory)) && !kept.has(memory.id));
      for (const memory of rest) {
        const old = before.get(memoryKey(memory));
        if (old === undefined) expect(memory.archivedReason).toBe("undone");
        else expect(memory).toEqual(old);
      }
    }),
    { numRuns: 15 },
  );
  expect(refusals).toBeGreaterThan(20);
});

function isRetired(path: string, text: string): boolean {
  return path.startsWith("Memories/Archive/") && text.includes(": taken back with its run\n");
}

function byKey(memories: readonly Memory[]): ReadonlyMap<string, Memory> {
  return new Map(memories.map((memory) => [memoryKey(memory), memory]));
}

function edit(before: Memory) {
  const after = reviseMemory(before, { tags: [...before.tags, "edited"] });
  return { record: "memory", before, after } as const;
}
