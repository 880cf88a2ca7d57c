import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { canonicalJson } from "../../src/model/json.ts";
import { isLive, memoryKey, reviseMemory } from "../../src/model/memory.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import { applyPlanFile } from "../../src/scheduler/apply-plan-file.ts";
import { createPlanFile, parsePlanFile } from "../../src/scheduler/plan-file.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { planRun, runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { createPromiseRun } from "./promise-runs.ts";
import { type StoreContent, storeContent } from "./stores.ts";

/** What plan and apply promise, over random stores. */

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

async function filled(content: StoreContent, notes = new Map<string, string>()) {
  const store = createMemoryStore({ embedder: real.embedder });
  return await createPromiseRun({ real, store, content, notes });
}

/** A plan that went through its file. */
async function plannedFile(deps: RunDeps) {
  const file = createPlanFile({ ...(await planRun(deps)), deps, summary: ["what a person reads"] });
  return parsePlanFile(JSON.stringify(file, null, 2), "plan.json");
}

async function contentOf(store: MemoryStore): Promise<string> {
  const kinds = ["memory", "relation", "issue", "journal", "outbox"] as const;
  return canonicalJson(await Promise.all(kinds.map((kind) => store.read(kind))));
}

test("applying a plan leaves store and notes as a live run does, and applying it again changes nothing", async () => {
  await fc.assert(
    fc.asyncProperty(storeContent, async (content) => {
      const [notes, liveNotes] = [new Map<string, string>(), new Map<string, string>()];
      const deps = await filled(content, notes);
      const before = await contentOf(deps.store);
      const file = await plannedFile(deps);
      expect(await contentOf(deps.store)).toBe(before);
      const applied = await applyPlanFile(deps, file);

      const live = await filled(content, liveNotes);
      const report = await runPipeline(live);
      expect(await contentOf(deps.store)).toBe(await contentOf(live.store));
      expect([...notes]).toEqual([...liveNotes]);
      expect(applied.run.status).toBe(report.run.status);
      for (const [name, { applied: done, waiting }] of Object.entries(applied.agents)) {
        expect(report.agents[name]).toMatchObject({ applied: done, waiting });
      }

      const records = await deps.store.read("memory");
      const again = await applyPlanFile(deps, file);
      expect(again.fates.filter(({ fate }) => fate === "refused")).toEqual([]);
      expect([...notes]).toEqual([...liveNotes]);
      expect(await deps.store.read("memory")).toEqual(records);
    }),
    { numRuns: 15 },
  );
});

test("a plan whose memories moved on leaves those alone, names what it refuses, and the next run agrees with it", async () => {
  let refusals = 0;
  await fc.assert(
    fc.asyncProperty(storeContent, fc.infiniteStream(fc.boolean()), async (content, picks) => {
      const deps = await filled(content);
      const file = await plannedFile(deps);
      const live = (await deps.store.read("memory")).filter(isLive);
      const edits = live
        .filter(() => picks.next().value === true)
        .map((before) => {
          const after = reviseMemory(before, { tags: [...before.tags, "edited"] });
          return { record: "memory", before, after } as const;
        });
      await deps.store.commit(edits);
      const report = await applyPlanFile(deps, file);

      const refused = report.fates.filter(({ fate }) => fate === "refused");
      refusals += refused.length;
      const edited = new Map(edits.map(({ after }) => [memoryKey(after), after]));
      for (const memory of await deps.store.read("memory")) {
        const mine = edited.get(memoryKey(memory));
        if (mine !== undefined) expect(memory).toEqual(mine);
      }
      for (const { proposal, fate } of report.fates.filter(({ fate }) => fate === "applied")) {
        const moved = proposal.finding.members.filter(({ id }) =>
          edited.has(memoryKey({ namespace: proposal.namespace, id })),
        );
        expect([fate, moved]).toEqual(["applied", []]);
      }
      const next = await runPipeline(deps);
      expect(next.fates.filter(({ fate }) => fate === "refused")).toEqual([]);
    }),
    { numRuns: 15 },
  );
  expect(refusals).toBeGreaterThan(20);
});
