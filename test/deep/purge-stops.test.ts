import { beforeAll, expect, test } from "vitest";
import { createEmbeddedTracker } from "../../src/adapters/issues-embedded/create-embedded-tracker.ts";
import { purgeMemory } from "../../src/api/purge/purge-memory.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { SlowwaveError } from "../../src/model/errors.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import type { Parts } from "../../src/wire.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { noteFormat } from "../note-formats.ts";
import { aWorld, nextProcess, stateOf, type World } from "../promises/stop-world.ts";
import { stopping, untilStopped } from "../promises/stopping.ts";

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

async function partsOf(deps: RunDeps): Promise<Parts> {
  return {
    ...deps,
    config: await loadConfig({ env: { HOME: "/nonexistent" } }),
    tracker: createEmbeddedTracker(deps.store),
    loadNoteFormat: async () => noteFormat,
    embedder: real.embedder,
    createAgents: async () => [],
    close: async () => undefined,
  };
}

async function purge(deps: RunDeps): Promise<void> {
  const options = { cacheFolder: "/nonexistent", signal: new AbortController().signal };
  await purgeMemory(await partsOf(deps), { id: "mira-1" }, options);
}

/** Every word that store and vault hold. */
async function wordsIn({ deps, notes }: World): Promise<string> {
  const kinds = ["memory", "relation", "issue", "run", "journal", "outbox"] as const;
  const records = await Promise.all(kinds.map((kind) => deps.store.read(kind)));
  return JSON.stringify([records, [...notes]]);
}

async function aNight(): Promise<World> {
  const world = await aWorld(real);
  await runPipeline(world.deps);
  expect(await wordsIn(world)).toContain("tabs over spaces");
  return world;
}

test("a purge that stops at any of its writes is finished by purging again", async ({
  annotate,
}) => {
  const undisturbed = await aNight();
  const counting = stopping(undisturbed.deps);
  await purge(counting.deps);
  const expected = await stateOf(undisturbed);
  expect(await wordsIn(undisturbed)).not.toContain("tabs over spaces");
  expect(undisturbed.notes.size).toBeGreaterThan(3);
  await annotate(`${counting.writes.length} points`);

  for (const [at, write] of counting.writes.entries()) {
    const world = await aNight();
    const where = `stopped at write ${at} of ${counting.writes.length}: ${write}`;
    const isStopped = await untilStopped(() => purge(stopping(world.deps, at).deps));
    expect([where, isStopped]).toEqual([where, true]);
    // Its record goes last: where that is gone already, there was nothing left to do.
    await purge(nextProcess(world.deps)).catch((error: unknown) => {
      if (!(error instanceof SlowwaveError) || error.code !== "not_found") throw error;
    });
    expect({ where, ...(await stateOf(world)) }).toEqual({ where, ...expected });
    expect((await wordsIn(world)).includes("tabs over spaces")).toBe(false);
  }
});
