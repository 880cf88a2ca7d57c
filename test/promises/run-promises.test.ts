import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { canonicalJson } from "../../src/model/json.ts";
import { isLive, type Memory } from "../../src/model/memory.ts";
import type { RunReport } from "../../src/model/run-report.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { verifyMerge } from "../../src/text/merge-check/verify-merge.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { createPromiseRun, emptyStores } from "./promise-runs.ts";
import { type StoreContent, storeContent } from "./stores.ts";

/** The promises, over random stores with the five agents, the built-in embedder and its fitted profile. */

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

const runDepsFor = (
  store: MemoryStore,
  content: StoreContent,
  notes = new Map<string, string>(),
): Promise<RunDeps> => createPromiseRun({ real, store, content, notes });

/** All that a store holds but its run records, as text. */
async function contentOf(store: MemoryStore): Promise<string> {
  const kinds = ["memory", "relation", "issue", "journal", "outbox"] as const;
  return canonicalJson(await Promise.all(kinds.map((kind) => store.read(kind))));
}

function comparable(report: RunReport): unknown {
  const agents = Object.entries(report.agents).map(
    ([name, { results, gates, planned, waiting }]) => ({
      name,
      results,
      gates,
      planned,
      waiting,
    }),
  );
  return { id: report.run.id, asOf: report.run.asOf, agents };
}

const openTwin = async (): Promise<MemoryStore> => createMemoryStore({ embedder: real.embedder });

const STORES = emptyStores(() => real);

test.each(STORES)(
  "a dry run changes nothing and shows what the live run does ($name)",
  async ({ open, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(storeContent, async (content) => {
        const notes = new Map<string, string>();
        const deps = await runDepsFor(await open(), content, notes);
        const before = await contentOf(deps.store);
        const dry = await runPipeline(deps, { dryRun: true });
        expect(await contentOf(deps.store)).toBe(before);
        expect(await deps.store.read("run")).toEqual([]);
        expect(notes.size).toBe(0);
        const live = await runPipeline(deps);
        expect(comparable(live)).toEqual(comparable(dry));
        expect(live.fates.filter((fate) => fate.fate === "refused")).toEqual([]);
      }),
      { numRuns },
    );
  },
);

test.each(STORES)(
  "a second run at the same clock changes nothing but its run record ($name)",
  async ({ open, numRuns }) => {
    await fc.assert(
      fc.asyncProperty(storeContent, async (content) => {
        const notes = new Map<string, string>();
        const deps = await runDepsFor(await open(), content, notes);
        await runPipeline(deps);
        const after = await contentOf(deps.store);
        const written = [...notes];
        const again = await runPipeline(deps);
        expect(again.fates.filter((fate) => fate.fate !== "none")).toEqual([]);
        expect(await contentOf(deps.store)).toBe(after);
        expect([...notes]).toEqual(written);
      }),
      { numRuns },
    );
  },
);

test("the same store, settings and clock give the same store again", async () => {
  await fc.assert(
    fc.asyncProperty(storeContent, async (content) => {
      const runs = await Promise.all(
        [content, { ...content, memories: content.memories.toReversed() }].map(async (one) => {
          const deps = await runDepsFor(await openTwin(), one);
          await runPipeline(deps);
          return await contentOf(deps.store);
        }),
      );
      expect(runs[1]).toBe(runs[0]);
    }),
    { numRuns: 20 },
  );
});

test("no memory is lost: all stay readable, and every archived one says why", async () => {
  await fc.assert(
    fc.asyncProperty(storeContent, async (content) => {
      const deps = await runDepsFor(await openTwin(), content);
      await runPipeline(deps);
      const after = new Map(
        (await deps.store.read("memory")).map((memory) => [key(memory), memory]),
      );
      for (const source of content.memories) {
        const found = after.get(key(source));
        expect(found).toBeDefined();
        if (found === undefined || isLive(found)) continue;
        expect(found.content).toBe(source.content);
        expect(found.archivedReason).toMatch(/^(decayed|merged)$/);
        if (found.archivedReason === "merged") {
          expect(
            after.get(key({ namespace: found.namespace, id: found.supersededBy ?? "" })),
          ).toBeDefined();
        }
      }
    }),
    { numRuns: 20 },
  );
});

test("no merge loses or invents: an independent check finds every source in what was made of it", async () => {
  let merges = 0;
  await fc.assert(
    fc.asyncProperty(storeContent, async (content) => {
      const deps = await runDepsFor(await openTwin(), content);
      await runPipeline(deps);
      const all = await deps.store.read("memory");
      for (const merged of all.filter((memory) => memory.leaves.length > 0)) {
        const sources = all.filter(
          (memory) => memory.namespace === merged.namespace && merged.leaves.includes(memory.id),
        );
        expect(sources).toHaveLength(merged.leaves.length);
        expect(verifyMerge({ sources, merged: merged.content })).toEqual([]);
        merges += 1;
      }
    }),
    { numRuns: 20 },
  );
  expect(merges).toBeGreaterThan(5);
});

test("nothing crosses a namespace", async () => {
  await fc.assert(
    fc.asyncProperty(storeContent, async (content) => {
      const deps = await runDepsFor(await openTwin(), content);
      await runPipeline(deps);
      const namespaceOf = new Map(content.memories.map((memory) => [memory.id, memory.namespace]));
      for (const memory of await deps.store.read("memory")) {
        for (const leaf of memory.leaves)
          expect(namespaceOf.get(leaf) ?? memory.namespace).toBe(memory.namespace);
      }
    }),
    { numRuns: 20 },
  );
});

function key(memory: Pick<Memory, "namespace" | "id">): string {
  return `${memory.namespace}/${memory.id}`;
}
