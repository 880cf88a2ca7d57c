import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createMemoryDerivedCache } from "../../src/adapters/memory/memory-derived-cache.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { createAgents } from "../../src/agents/index.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import { type Memory, type MemoryChanges, reviseMemory } from "../../src/model/memory.ts";
import { type Settings, settingsSchema } from "../../src/model/settings.ts";
import type { DerivedCache } from "../../src/ports/derived-cache.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { planRun, runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { aMemory, aUse } from "../builders.ts";
import { createPromiseRun } from "./promise-runs.ts";
import { NOW } from "./stores.ts";

/** What a run with results of earlier runs promises: the plan of one without, whatever happened between them. */

let real: RealDeps;
beforeAll(async () => {
  const deps = await realDeps();
  real = { ...deps, rules: { conflicts: remembering(deps.rules.conflicts) } };
});

/** Judging is most of the work, and not what is tried here. */
function remembering<T>(judge: (a: string, b: string) => T): (a: string, b: string) => T {
  const known = new Map<string, T>();
  return (a, b) => {
    const key = JSON.stringify([a, b]);
    const found = known.get(key) ?? judge(a, b);
    known.set(key, found);
    return found;
  };
}

/** Rewordings, contradictions, parts, copies and relative dates, in few words, so that every edit meets something that is like it. */
const SUBJECTS = ["Standup", "The review", "Planning"];
const TEXTS = [
  ...SUBJECTS.flatMap((subject) =>
    ["9:30", "9:45", "10:00"].flatMap((time) => [
      `${subject} is at ${time} every weekday in the blue room.`,
      `${subject} takes place every weekday at ${time} in the blue room.`,
      `${subject} is not at ${time} every weekday in the blue room.`,
    ]),
  ),
  "Standup is at 9:30 every weekday in the blue room. Bring the board.",
  "standup is at 9:30 every weekday in the blue room",
  "Bring the board.",
  "Maria moved the planning meeting to Lisbon yesterday.",
  "Maria moved the planning meeting to Lisbon next Friday.",
  "...",
] as const;

const ids = fc.integer({ min: 0, max: 15 });
const texts = fc.constantFrom(...TEXTS);

const steps = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant("write" as const), id: ids, text: texts }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("archive" as const), id: ids }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("restore" as const), id: ids }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pin" as const), id: ids }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("use" as const), id: ids }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      days: fc.constantFrom(0.01, 1, 8, 400),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("tune" as const),
      cluster: fc.constantFrom({}, { linkThreshold: 0.7 }, { maxClusterSize: 3 }),
      strategy: fc.constantFrom("flag_all" as const, "keep_newer" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("part" as const), days: fc.nat(20) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("run" as const) }) },
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

interface World {
  readonly store: MemoryStore;
  readonly cache: DerivedCache;
  readonly deps: RunDeps;
  now: number;
  settings: Settings;
}

async function createWorld(): Promise<World> {
  const store = createMemoryStore({ embedder: real.embedder });
  const cache = createMemoryDerivedCache();
  const first = TEXTS.map((content, at) =>
    aMemory({ id: `m${at}`, content, createdAt: NOW - (at % 9) * DAY_MS, entities: ["Maria"] }),
  );
  const content = { memories: first, uses: [aUse({ memoryId: "m0", at: NOW })] };
  const deps = await createPromiseRun({ real, store, content });
  const world: World = { store, cache, deps, now: NOW, settings: settingsSchema.parse({}) };
  return world;
}

function depsOf(world: World, cache = world.cache): RunDeps {
  const blind: DerivedCache = { ...cache, read: async () => undefined };
  return {
    ...world.deps,
    clock: { now: () => world.now },
    settings: world.settings,
    createAgents: (how) =>
      createAgents({ ...real, kept: { cache: how?.full ? blind : cache, basis: "this code" } }),
  };
}

async function perform(step: Step, world: World): Promise<void> {
  switch (step.kind) {
    case "write":
      return await put(world, step.id, { content: step.text });
    case "archive":
      return await put(world, step.id, { status: "archived", archivedReason: "forgotten" });
    case "restore":
      return await put(world, step.id, { status: "active", archivedReason: undefined });
    case "pin":
      return await put(world, step.id, { pinned: true });
    case "use": {
      const use = aUse({ id: `u${world.now}-${step.id}`, memoryId: `m${step.id}`, at: world.now });
      return await world.store.recordUses([use]);
    }
    case "wait":
      world.now += step.days * DAY_MS;
      return;
    case "tune": {
      const contradictions = { strategy: step.strategy };
      world.settings = settingsSchema.parse({ cluster: step.cluster, contradictions });
      return;
    }
    case "part":
      await planRun(depsOf(world), { filter: { since: NOW - step.days * DAY_MS } });
      return;
    case "run":
      await runPipeline(depsOf(world));
      return;
  }
}

async function put({ store, now }: World, at: number, changes: MemoryChanges): Promise<void> {
  const id = `m${at}`;
  const [before] = await store.read("memory", { namespace: "default", ids: [id] });
  const made: Memory = aMemory({ id, createdAt: now });
  const after = before
    ? reviseMemory(before, changes)
    : { ...made, ...reviseMemory(made, changes) };
  await store.commit([{ record: "memory", before: before ?? null, after }]);
}

test("a run with what earlier runs have kept makes the plan of a full run, whatever happened between them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 8 }), async (history) => {
      const world = await createWorld();
      for (const step of history) {
        await perform(step, world);
        const { plan } = await planRun(depsOf(world));
        // A cache of its own: a full run replaces what is there, and this one is to find what the last run left.
        const full = await planRun(depsOf(world, createMemoryDerivedCache()), { full: true });
        const { timings: _timings, ...found } = plan;
        const { timings: _other, ...expected } = full.plan;
        expect(JSON.stringify(found)).toBe(JSON.stringify(expected));
      }
    }),
    { numRuns: 3 },
  );
});
