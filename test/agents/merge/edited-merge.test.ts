import { beforeAll, expect, test } from "vitest";
import { createClusterAgent } from "../../../src/agents/cluster/create-cluster-agent.ts";
import { createMergeAgent } from "../../../src/agents/merge/create-merge-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { isLive, type Memory } from "../../../src/model/memory.ts";
import { aMemory } from "../../builders.ts";
import { type RealDeps, realDeps } from "../real-deps.ts";
import { applyAll, contextOf, NOW, runAgent, workspaceOf } from "../view-of.ts";

// Reading the table takes most of a second, and nothing changes it.
let deps: RealDeps;
beforeAll(async () => {
  deps = await realDeps();
});

const STANDUP = "Standup is at 9:30 every weekday in the blue room.";
const GUESTS = "Guests are welcome on Fridays.";

async function night(memories: readonly Memory[]) {
  const workspace = workspaceOf({ embedder: deps.embedder, memories });
  const clustered = await runAgent(createClusterAgent(deps), contextOf(workspace));
  applyAll(workspace, clustered.proposals);
  const merged = await runAgent(createMergeAgent(deps), contextOf(workspace));
  applyAll(workspace, merged.proposals);
  return { all: workspace.view.memories("default"), merged };
}

/** Two memories merged, the merged one edited by a person, and its copy told again. */
async function mergeAgain(edit: (merged: Memory) => Memory, promoted = false) {
  const note = promoted
    ? ({ status: "promoted", vaultPath: "S.md", promotedAt: NOW - DAY_MS } as const)
    : {};
  const sources = [
    aMemory({ id: "a", content: `${STANDUP} ${GUESTS}`, createdAt: NOW - 9 * DAY_MS, ...note }),
    aMemory({ id: "b", content: STANDUP, createdAt: NOW - 8 * DAY_MS }),
  ];
  const first = await night(sources);
  expect(first.merged.results).toMatchObject([{ content: `${STANDUP} ${GUESTS}` }]);
  const edited = first.all.map((memory) => (isLive(memory) ? edit(memory) : memory));
  const { content } = edited.find(isLive) ?? { content: "" };
  const copy = aMemory({ id: "copy", content, createdAt: NOW - 3 * DAY_MS });
  const second = await night([...edited, copy]);
  return second.all.filter(isLive);
}

test.each([
  ["taken out", STANDUP],
  ["changed", `${STANDUP} Guests are welcome on Mondays.`],
  ["added", `${STANDUP} ${GUESTS} Bring the board.`],
  ["put in another order", `${GUESTS} ${STANDUP}`],
])(
  "what a person has %s in a merged memory stays so through the next merge",
  async (_how, content) => {
    for (const promoted of [false, true]) {
      const live = await mergeAgain((merged) => ({ ...merged, content }), promoted);
      expect(live.map((memory) => memory.content)).toEqual([content]);
    }
  },
);

test("so it stays in a merged memory of a store that kept no hash of merged texts", async () => {
  const live = await mergeAgain(({ mergedHash: _hash, ...merged }) => ({
    ...merged,
    content: STANDUP,
  }));
  expect(live.map((memory) => memory.content)).toEqual([STANDUP]);
});

test("a merged memory that nobody edited is merged again from its originals", async () => {
  for (const promoted of [false, true]) {
    const live = await mergeAgain((merged) => merged, promoted);
    expect(live.map(({ content }) => content)).toEqual([`${STANDUP} ${GUESTS}`]);
    expect(live[0]?.leaves).toHaveLength(3);
  }
});
