import { beforeAll, expect, test } from "vitest";
import { isLive } from "../../src/model/memory.ts";
import { applyPlanFile } from "../../src/scheduler/apply-plan-file.ts";
import { createPlanFile } from "../../src/scheduler/plan-file.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { planRun, runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { CONTENT } from "./stop-content.ts";
import { aWorld, nextProcess, stateOf, type World } from "./stop-world.ts";
import { stopping, untilStopped } from "./stopping.ts";

/** A process that stops in place of any one of its writes leaves nothing half done, and doing the same again ends as if undisturbed. */

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

/** What would be wrong to find at any moment. */
async function wrongIn({ deps, notes }: World): Promise<readonly string[]> {
  const memories = await deps.store.read("memory");
  const byId = new Map(memories.map((memory) => [memory.id, memory]));
  const wrong = CONTENT.memories.filter(({ id }) => !byId.has(id)).map(({ id }) => `${id} is gone`);
  for (const memory of memories) {
    const { id, status, vaultPath, leaves, archivedReason, supersededBy = "" } = memory;
    if (status === "promoted" && !notes.has(vaultPath ?? "")) wrong.push(`${id} has no note`);
    if (isLive(memory) && leaves.some((leaf) => byId.get(leaf)?.supersededBy !== id)) {
      wrong.push(`${id} is merged, and its sources live`);
    }
    if (archivedReason === "merged" && !byId.has(supersededBy)) wrong.push(`${id} leads nowhere`);
  }
  return wrong;
}

/** The agents of the five that did anything. */
async function agentsIn({ deps }: World): Promise<readonly string[]> {
  const steps = (await deps.store.read("journal")).flatMap((entry) => entry.steps);
  const agents = new Set(steps.map(({ agent }) => agent));
  agents.delete("undo");
  agents.delete("vault");
  return [...agents].sort();
}

/** Left for nobody to see to once all is done. */
async function unfinishedIn({ deps, notes }: World): Promise<object> {
  const prepared = await deps.store.read("journal", { state: ["prepared"] });
  const owed = await deps.store.read("outbox", { state: ["open"] });
  const runs = (await deps.store.read("run")).filter(({ status }) => status === "running");
  const uncommitted = await deps.versionControl?.commit({
    paths: [...notes.keys()],
    message: "What nobody committed",
    runId: "late",
  });
  return { prepared, owed, runs, uncommitted };
}

const FINISHED = {
  prepared: [],
  owed: [],
  runs: [],
  uncommitted: { kind: "nothing", ignored: [] },
};

interface Work {
  readonly name: string;
  /** Brings a world to where the work begins. */
  readonly prepare: (deps: RunDeps) => Promise<string>;
  readonly work: (deps: RunDeps, prepared: string) => Promise<unknown>;
}

const plannedRun = async (deps: RunDeps) =>
  createPlanFile({ ...(await planRun(deps)), deps, summary: [] });

const WORKS: readonly Work[] = [
  { name: "a run", prepare: async () => "", work: (deps) => runPipeline(deps) },
  {
    name: "an apply",
    prepare: async (deps) => JSON.stringify(await plannedRun(deps)),
    work: async (deps, plan) => applyPlanFile(deps, JSON.parse(plan)),
  },
  {
    name: "an undo",
    prepare: async (deps) => (await runPipeline(deps)).run.id,
    work: (deps, run) => undoRun(deps, run),
  },
];

test.for(WORKS)(
  "$name that stops at any of its writes is finished by the next",
  async (one, { annotate }) => {
    const undisturbed = await aWorld(real);
    const counting = stopping(undisturbed.deps);
    await one.work(counting.deps, await one.prepare(undisturbed.deps));
    const expected = await stateOf(undisturbed);
    expect(await wrongIn(undisturbed)).toEqual([]);
    expect(await unfinishedIn(undisturbed)).toEqual(FINISHED);
    expect(await agentsIn(undisturbed)).toEqual([
      "cluster",
      "decay",
      "merge",
      "promote",
      "relations",
    ]);
    expect(counting.writes.length).toBeGreaterThan(30);
    await annotate(`${counting.writes.length} points`);

    for (const [at, write] of counting.writes.entries()) {
      const world = await aWorld(real);
      const prepared = await one.prepare(world.deps);
      const isStopped = await untilStopped(() => one.work(stopping(world.deps, at).deps, prepared));
      const where = `stopped at write ${at} of ${counting.writes.length}: ${write}`;
      expect([where, isStopped, await wrongIn(world)]).toEqual([where, true, []]);

      await one.work(nextProcess(world.deps), prepared);
      expect({ where, ...(await stateOf(world)) }).toEqual({ where, ...expected });
      expect({ where, ...(await unfinishedIn(world)) }).toEqual({ where, ...FINISHED });
    }
  },
);
