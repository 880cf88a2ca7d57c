import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { createAgents } from "../../src/agents/index.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import type { Proposal } from "../../src/model/proposal.ts";
import type { AgentContext } from "../../src/ports/agent.ts";
import type { NoteFormat } from "../../src/ports/note-vault.ts";
import type { Workspace } from "../../src/scheduler/workspace.ts";
import { isClaim } from "../../src/text/conflicts/conflict.ts";
import { verifyMerge } from "../../src/text/merge-check/verify-merge.ts";
import { aMemory, aUse } from "../builders.ts";
import { type RealDeps, realDeps } from "./real-deps.ts";
import { applyAll, contextOf, journalOf, NOW, runAgent, workspaceOf } from "./view-of.ts";

// Reading the table takes most of a second, and nothing changes it.
let deps: RealDeps;
beforeAll(async () => {
  deps = await realDeps();
});

/** Copies, rewordings, contradictions, relative dates, lists, code: what is hard to merge, in few words, so that they meet often. */
const SENTENCES = [
  "Standup is at 9:30 every weekday in the blue room.",
  "The standup takes place every weekday at 9:30 in the blue room.",
  "Standup is at 9:45 every weekday in the blue room.",
  "Maria prefers green tea.",
  "maria prefers green tea",
  "Maria does not prefer green tea.",
  "Maria moved the planning meeting to Lisbon yesterday.",
  "Maria moved the planning meeting to Lisbon next Friday.",
  "The deploy script lives in tools/deploy.sh and needs Node 20.",
  "The deploy script is in tools/deploy.sh and needs Node 20.",
  "npm run deploy is what starts it",
  "- Bring the board\n- Bring the pens",
  "- Bring the board",
  "```sh\nnpm run deploy\n```",
  "Kim reports to Dave.",
  "Dave reports to Kim.",
] as const;

const memories = fc.uniqueArray(
  fc
    .record({
      id: fc.stringMatching(/^[a-z]{1,2}$/),
      sentences: fc.uniqueArray(fc.constantFrom(...SENTENCES), { minLength: 1, maxLength: 3 }),
      separator: fc.constantFrom(" ", "\n", "\n\n"),
      ageDays: fc.constantFrom(0, 2, 3, 9, 60),
      entities: fc.subarray(["Maria", "Kim", "Lisbon"]),
      tags: fc.subarray(["work", "home"]),
      baseUseCount: fc.constantFrom(0, 0, 1, 6),
      pinned: fc.constantFrom(false, false, false, true),
      disputed: fc.constantFrom(false, false, false, true),
      confidence: fc.constantFrom(0.3, 0.5, 0.9),
      kind: fc.constantFrom("semantic" as const, "semantic" as const, "episodic" as const),
    })
    .map(({ sentences, separator, ageDays, ...fields }) =>
      aMemory({
        ...fields,
        content: sentences.join(separator),
        createdAt: NOW - ageDays * DAY_MS,
      }),
    ),
  { minLength: 1, maxLength: 14, selector: ({ id }) => id },
);

const FORMAT: NoteFormat = {
  titleOf: ({ id }) => id,
  pathFor: ({ id }) => `${id}.md`,
  compose: () => ({ kind: "text", text: "" }),
};

const SIGNAL = aUse({ memoryId: "someone", at: NOW - 90 * DAY_MS });

function open(all: readonly Memory[], earlier: readonly Proposal<unknown>[] = []): Workspace {
  const journal = journalOf(earlier, NOW);
  return workspaceOf({ memories: all, uses: [SIGNAL], embedder: deps.embedder, journal });
}

/** All five agents in order over one workspace, as a run does. */
async function runPipeline(
  workspace: Workspace,
  tuned: object = {},
): Promise<readonly Proposal<unknown>[]> {
  const notes: NonNullable<AgentContext["notes"]> = { format: FORMAT, takenPaths: new Set() };
  const context = contextOf(workspace, { notes, tuned });
  const proposals: Proposal<unknown>[] = [];
  for (const agent of createAgents(deps)) {
    const run = await runAgent(agent, context);
    applyAll(workspace, run.proposals);
    proposals.push(...run.proposals);
  }
  return proposals;
}

function mergedMemories(workspace: Workspace): readonly Memory[] {
  return workspace.view.memories("default").filter(({ leaves }) => leaves.length > 0);
}

const STRATEGIES = ["flag_all", "keep_newer", "keep_higher_trust"];

test.each(STRATEGIES)(
  "a pipeline with %s run twice at one clock changes nothing the second time",
  async (strategy) => {
    const tuned = { contradictions: { strategy } };
    await fc.assert(
      fc.asyncProperty(memories, async (all) => {
        const first = await runPipeline(open(all), tuned);
        const again = open(all, first);
        applyAll(again, first);
        const second = await runPipeline(again, tuned);
        expect(second.filter(({ changes }) => changes.length > 0)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  },
);

test("a pipeline's merges keep every sentence of their originals and add none", async () => {
  await fc.assert(
    fc.asyncProperty(memories, async (all) => {
      const workspace = open(all);
      await runPipeline(workspace);
      for (const memory of mergedMemories(workspace)) {
        const sources = memory.leaves.flatMap((id) => workspace.view.memory("default", id) ?? []);
        expect(sources).toHaveLength(memory.leaves.length);
        expect(verifyMerge({ sources, merged: memory.content })).toEqual([]);
      }
    }),
    { numRuns: 40 },
  );
});

test("a pipeline merges no two originals that contradict each other, nor any that differ in kind", async () => {
  await fc.assert(
    fc.asyncProperty(memories, async (all) => {
      const workspace = open(all);
      await runPipeline(workspace);
      for (const memory of mergedMemories(workspace)) {
        const leaves = memory.leaves.flatMap((id) => workspace.view.memory("default", id) ?? []);
        expect(new Set(leaves.map(({ kind }) => kind)).size).toBe(1);
        expect(memory.disputed).toBe(leaves.some(({ disputed }) => disputed));
        for (const [at, a] of leaves.entries()) {
          for (const b of leaves.slice(at + 1)) {
            const found = deps.rules.conflicts(a.content, b.content);
            expect(found.filter(isClaim)).toEqual([]);
          }
        }
      }
    }),
    { numRuns: 40 },
  );
});

test("a pipeline loses no memory, and every archived source names what it became", async () => {
  await fc.assert(
    fc.asyncProperty(memories, async (all) => {
      const workspace = open(all);
      await runPipeline(workspace);
      for (const { id, pinned } of all) {
        const memory = workspace.view.memory("default", id);
        if (memory === undefined) throw new Error(`${id} is gone`);
        if (pinned) expect(memory.status).not.toBe("archived");
        if (memory.archivedReason !== "merged") continue;
        const merged = workspace.view.memory("default", memory.supersededBy ?? "");
        expect(merged?.status).not.toBe("archived");
        expect(merged?.leaves).toContain(id);
      }
    }),
    { numRuns: 40 },
  );
});

test("a pipeline proposes the same whatever the order of the records", async () => {
  const shuffled = memories.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray([...all], { minLength: all.length })),
  );
  await fc.assert(
    fc.asyncProperty(shuffled, async ([all, order]) => {
      expect(await runPipeline(open(order))).toEqual(await runPipeline(open(all)));
    }),
    { numRuns: 30 },
  );
});
