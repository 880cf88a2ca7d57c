import { beforeAll, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { aMemory } from "../builders.ts";
import { createPromiseRun } from "./promise-runs.ts";
import { NOW } from "./stores.ts";

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

function dose(id: string, mg: number, daysAgo: number, fields: Partial<Memory> = {}): Memory {
  const content = `Take ${mg} mg of the tablet daily.`;
  const provenance = [{ agent: "nurse", factId: id, at: NOW - daysAgo * DAY_MS }];
  return aMemory({ id, content, createdAt: NOW - daysAgo * DAY_MS, provenance, ...fields });
}

async function openRun(strategy: string, memories: readonly Memory[]) {
  const store = createMemoryStore({ embedder: real.embedder });
  const base = await createPromiseRun({ real, store, content: { memories, uses: [] } });
  const settings = settingsSchema.parse({ contradictions: { strategy } });
  const deps = { ...base, settings };
  const get = async (id: string) => (await store.read("memory", { ids: [id] }))[0];
  return { deps, get, store };
}

test.each([
  ["keep_newer", "old", "new"],
  ["keep_higher_trust", "new", "old"],
])(
  "what %s archives keeps its words and where they came from, and undo brings it back",
  async (strategy, loser, winner) => {
    const memories = [dose("old", 5, 9, { confidence: 0.9 }), dose("new", 10, 2)];
    const { deps, get } = await openRun(strategy, memories);
    const before = await get(loser);
    const { run } = await runPipeline(deps);
    expect(await get(loser)).toMatchObject({
      status: "archived",
      archivedReason: "superseded",
      supersededBy: winner,
      validTo: NOW - 2 * DAY_MS,
      content: before?.content,
      provenance: before?.provenance,
    });
    expect((await undoRun(deps, run.id)).refused).toEqual([]);
    const { revision: _after, ...back } = (await get(loser)) ?? {};
    const { revision: _before, ...was } = before ?? {};
    expect(back).toEqual(was);
  },
);

test("the return to an old value is a new period, and the old one stays as it ended", async () => {
  const { deps, get, store } = await openRun("keep_newer", [
    dose("first", 5, 9),
    dose("second", 10, 6),
  ]);
  await runPipeline(deps);
  const ended = await get("first");
  expect(ended).toMatchObject({ status: "archived", validTo: NOW - 6 * DAY_MS });
  const third = dose("third", 5, 1);
  await store.commit([{ record: "memory", before: null, after: third }]);
  await runPipeline(deps);
  expect(await get("third")).toMatchObject({ status: "active", disputed: false });
  expect(await get("second")).toMatchObject({ supersededBy: "third", validTo: NOW - DAY_MS });
  expect(await get("first")).toEqual(ended);
});
