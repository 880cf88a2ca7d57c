import { expect, test } from "vitest";
import { createDecayAgent } from "../../src/agents/decay/create-decay-agent.ts";
import { DAY_MS, HOUR_MS, type Instant } from "../../src/model/instant.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { aJournalEntry, aMemory, aRun, aUse, BUILT_AT } from "../builders.ts";
import { createRunDeps, fill } from "./run-deps.ts";

const NIGHT = BUILT_AT + 100 * DAY_MS;

/** A hundred memories that nobody used for a hundred days, and one that was: decay may archive five of them in 24 hours. */
async function anOldStore(): Promise<RunDeps> {
  const deps = createRunDeps({ createAgents: () => [createDecayAgent()], now: NIGHT });
  const content = (index: number) => `Fact ${index}.`;
  await fill(
    deps.store,
    Array.from({ length: 101 }, (_, index) =>
      aMemory({ id: `m${String(index).padStart(3, "0")}`, content: content(index) }),
    ),
  );
  await deps.store.recordUses([aUse({ memoryId: "m100", at: NIGHT })]);
  return deps;
}

function at(deps: RunDeps, now: Instant): RunDeps {
  return { ...deps, clock: { now: () => now } };
}

async function archivedIn(store: MemoryStore): Promise<number> {
  return (await store.read("memory")).filter(({ status }) => status === "archived").length;
}

test("a run that is stopped half way and its reruns archive no more together than one run may", async () => {
  const deps = await anOldStore();
  const stop = new AbortController();
  let batches = 0;
  const progress = {
    ...deps.progress,
    advance: (task: string) => {
      batches += task === "apply" ? 1 : 0;
      if (batches === 2) stop.abort(new Error("stopped"));
    },
  };
  const first = await runPipeline(
    { ...deps, progress, changesPerBatch: 1 },
    { signal: stop.signal },
  );
  expect(first.run.status).toBe("interrupted");
  expect(await archivedIn(deps.store)).toBe(2);
  // Reruns, one of them by a clock that was set back, and one shortly before the window ends.
  for (const now of [NIGHT, NIGHT + HOUR_MS, NIGHT - 3 * HOUR_MS, NIGHT + DAY_MS - 1]) {
    await runPipeline(at(deps, now));
    expect(await archivedIn(deps.store)).toBe(5);
  }
  const next = await runPipeline(at(deps, NIGHT + DAY_MS));
  expect(next.agents.decay?.gates.capped).toBeGreaterThan(0);
  expect(await archivedIn(deps.store)).toBe(9);
});

test("a batch that a wrong clock dated years ahead does not use up the cap until then", async () => {
  const deps = await anOldStore();
  const step = {
    ...{ proposalId: "p", agent: "decay", action: "archive", namespace: "default" },
    ...{ confidence: 1, reason: "never used" },
  };
  const steps = Array.from({ length: 50 }, () => step);
  const ahead = aJournalEntry({ at: NIGHT + 400 * DAY_MS, steps });
  await deps.store.commit([{ record: "journal", before: null, after: ahead }]);
  await runPipeline(deps);
  expect(await archivedIn(deps.store)).toBe(5);
});

test("after a leap of the clock nothing is forgotten for a week, dry and live, and that is said once", async () => {
  const deps = await anOldStore();
  const nights = [43, 42, 41].map((days) => {
    const startedAt = NIGHT - days * DAY_MS;
    return aRun({ id: `run-${days}`, asOf: startedAt, startedAt });
  });
  await deps.store.commit(nights.map((after) => ({ record: "run", before: null, after })));
  const dry = await runPipeline(deps, { dryRun: true });
  const live = await runPipeline(deps);
  for (const report of [dry, live]) {
    expect(report.agents.decay?.gates.clock_leap).toBe(100);
    expect(report.fates.filter(({ proposal }) => proposal.changes.length > 0)).toEqual([]);
  }
  expect(live.alarms?.join()).toMatch(/41 days have passed .* archives nothing before 2026-06-17/);
  const later = await runPipeline(at(deps, NIGHT + DAY_MS));
  expect(later.alarms).toEqual([]);
  expect(await archivedIn(deps.store)).toBe(0);
  await runPipeline(at(deps, NIGHT + 7 * DAY_MS));
  expect(await archivedIn(deps.store)).toBe(5);
});
