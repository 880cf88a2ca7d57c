import fc from "fast-check";
import { expect, test } from "vitest";
import { createDecayAgent } from "../../../src/agents/decay/create-decay-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { isLive, type Memory } from "../../../src/model/memory.ts";
import type { JournalEntry } from "../../../src/model/run.ts";
import { aMemory, aUse } from "../../builders.ts";
import { applyAll, contextOf, journalOf, NOW, runAgent, workspaceOf } from "../view-of.ts";

const memories = fc.uniqueArray(
  fc
    .record({
      id: fc.stringMatching(/^[a-z]{1,3}$/),
      namespace: fc.constantFrom("default", "work"),
      ageDays: fc.integer({ min: 0, max: 400 }),
      pinned: fc.boolean(),
      strength: fc.constantFrom(0.5, 1, 1.5),
      expiresInDays: fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined }),
    })
    .map(({ ageDays, expiresInDays, ...fields }) =>
      aMemory({
        ...fields,
        content: `Fact ${fields.id}.`,
        createdAt: NOW - ageDays * DAY_MS,
        ...(expiresInDays === undefined ? {} : { expiresAt: NOW + expiresInDays * DAY_MS }),
      }),
    ),
  { minLength: 1, maxLength: 80, selector: ({ namespace, id }) => `${namespace}/${id}` },
);

const signals = ["default", "work"].map((namespace) =>
  aUse({ id: namespace, namespace, memoryId: "someone", at: NOW - 400 * DAY_MS }),
);

function countLive(all: readonly Memory[], namespace: string): number {
  return all.filter((memory) => memory.namespace === namespace && isLive(memory)).length;
}

test("decay never archives more in 24 hours than the caps allow, however often it runs", async () => {
  const percents = fc.integer({ min: 0, max: 100 });
  const caps = fc.integer({ min: 0, max: 20 });
  const hours = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(memories, percents, caps, hours, async (start, percent, cap, steps) => {
      const tuned = { decay: { archivePercentPerDay: percent, archivesPerDay: cap } };
      let now = NOW;
      let current: readonly Memory[] = start;
      let journal: readonly JournalEntry[] = [];
      for (const step of steps) {
        now += step * 3_600_000;
        const workspace = workspaceOf({ memories: current, uses: signals, journal, now });
        const run = await runAgent(createDecayAgent(), contextOf(workspace, { tuned }));
        applyAll(workspace, run.proposals);
        journal = [...journal, ...journalOf(run.proposals, now)];
        current = workspace.view
          .namespaces()
          .flatMap((namespace) => workspace.view.memories(namespace));
      }
      for (const namespace of ["default", "work"]) {
        const before = countLive(start, namespace);
        const archived = before - countLive(current, namespace);
        expect(archived).toBeLessThanOrEqual(Math.min(cap, (before * percent) / 100));
        if (before > 0) expect(countLive(current, namespace)).toBeGreaterThan(0);
      }
    }),
    { numRuns: 60 },
  );
});

test("decay proposes the same whatever the order of the records", async () => {
  await fc.assert(
    fc.asyncProperty(
      memories.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length })),
      ),
      async ([all, shuffled]) => {
        const [one, other] = await Promise.all(
          [all, shuffled].map((given) =>
            runAgent(
              createDecayAgent(),
              contextOf(workspaceOf({ memories: given, uses: signals })),
            ),
          ),
        );
        expect(other).toEqual(one);
      },
    ),
    { numRuns: 60 },
  );
});

test("decay run twice at one clock changes nothing the second time", async () => {
  await fc.assert(
    fc.asyncProperty(memories, async (all) => {
      const workspace = workspaceOf({ memories: all, uses: signals });
      const first = await runAgent(createDecayAgent(), contextOf(workspace));
      const again = workspaceOf({
        memories: all,
        uses: signals,
        journal: journalOf(first.proposals, NOW),
      });
      applyAll(again, first.proposals);
      const second = await runAgent(createDecayAgent(), contextOf(again));
      expect(second.proposals.flatMap(({ changes }) => changes)).toEqual([]);
    }),
    { numRuns: 60 },
  );
});
