import { beforeAll, expect, test } from "vitest";
import {
  createScriptedLanguageModel,
  type ScriptedLanguageModel,
} from "../../../src/adapters/memory/scripted-language-model.ts";
import { createClusterAgent } from "../../../src/agents/cluster/create-cluster-agent.ts";
import { createMergeAgent } from "../../../src/agents/merge/create-merge-agent.ts";
import { isLive, type Memory } from "../../../src/model/memory.ts";
import { aMemory } from "../../builders.ts";
import { type RealDeps, realDeps } from "../real-deps.ts";
import { applyAll, contextOf, NOW, runAgent, workspaceOf } from "../view-of.ts";

// Reading the table takes most of a second, and nothing changes it.
let deps: RealDeps;
beforeAll(async () => {
  deps = await realDeps();
});

const [FIRST, SECOND] = [
  "Standup is at 9:30 every weekday in the blue room.",
  "The standup takes place every weekday at 9:30 in the blue room.",
];
const PLAIN = `${FIRST}\n${SECOND}`;
const FLUENT = `${FIRST.slice(0, -1)}; the standup takes place every weekday at 9:30 in the blue room.`;

const wording = (content: string): string => JSON.stringify({ handles: ["M1", "M2"], content });

function standups(): readonly Memory[] {
  return [FIRST, SECOND].map((content, at) =>
    aMemory({ id: `m${at + 1}`, content, createdAt: NOW - (9 - at) * 3_600_000 }),
  );
}

async function consolidate(model: ScriptedLanguageModel, memories = standups()) {
  const workspace = workspaceOf({ embedder: deps.embedder, memories });
  const night = async () => {
    const clustered = await runAgent(createClusterAgent(deps), contextOf(workspace));
    applyAll(workspace, clustered.proposals);
    const run = await runAgent(createMergeAgent({ ...deps, model }), contextOf(workspace));
    applyAll(workspace, run.proposals);
    return { clustered, run };
  };
  const { clustered, run } = await night();
  expect(clustered.results.map(({ action }) => action)).toEqual(["auto_merge"]);
  const [issue] = workspace.view.issues();
  const live = workspace.view.memories("default").filter(isLive);
  return { run, issue, live, night, workspace };
}

test("a group that is merged anyway gets the model's wording, and a second night has nothing to do", async () => {
  const model = createScriptedLanguageModel([wording(FLUENT)]);
  const { run, issue, live, night } = await consolidate(model);
  expect(live.map(({ content }) => content)).toEqual([FLUENT]);
  expect(run.proposals[0]?.reason).toContain("worded by scripted/model, reply reply-1");
  expect(run.proposals[0]?.replies).toMatchObject([{ id: "reply-1" }]);
  expect(issue).toMatchObject({
    status: "closed",
    closeReason: expect.stringContaining("worded by"),
  });
  const again = await night();
  expect(again.clustered.proposals.flatMap(({ changes }) => changes)).toEqual([]);
  expect(again.run.outcomes).toEqual([]);
  expect(model.asked).toHaveLength(1);
});

test.each([
  ["a changed number", wording(FLUENT.replace("9:30 in", "9:45 in"))],
  ["a lost sentence", wording(FIRST)],
  ["an invented name", wording(`${PLAIN}\nKim leads it.`)],
  ["a denial", wording(FLUENT.replace("is at", "is not at"))],
  ["a shared subject left out", wording(`${FIRST.slice(0, -1)}, and takes place every weekday.`)],
])(
  "wording with %s is refused: the sources' own words are used, and the issue says so",
  async (_n, reply) => {
    const { run, issue, live } = await consolidate(createScriptedLanguageModel([reply]));
    expect(live.map(({ content }) => content)).toEqual([PLAIN]);
    expect(run.held).toEqual({});
    expect(issue).toMatchObject({
      status: "closed",
      closeReason: expect.stringContaining("the language model could not help: its text lost"),
    });
  },
);

test.each([
  "ceiling",
  "breaker_open",
  "rate_limited",
  "unreachable",
  "timeout",
  "refusal",
] as const)(
  "a model that fails (%s) holds up no merge that needs no judgement",
  async (failure) => {
    const script = [{ kind: "failed", failure, message: "it is down" } as const];
    const { issue, live } = await consolidate(createScriptedLanguageModel(script));
    expect(live.map(({ content }) => content)).toEqual([PLAIN]);
    expect(issue?.comments.at(-1)?.text).toContain(
      "in the sources' own words, as the language model could not help: it is down",
    );
  },
);

test.each([
  ["copies", [FIRST, FIRST]],
  ["a text that contains the other", [FIRST, `${FIRST} Bring the board.`]],
])("no model is asked about %s", async (_name, contents) => {
  const model = createScriptedLanguageModel([]);
  const memories = contents.map((content, at) => aMemory({ id: `m${at}`, content }));
  const { live } = await consolidate(model, memories);
  expect(live.map(({ content }) => content)).toEqual([contents[1]]);
  expect(model.asked).toEqual([]);
});

test("a reworded memory is merged again from its originals", async () => {
  const model = createScriptedLanguageModel([wording(FLUENT)]);
  const { live, workspace } = await consolidate(model);
  const [merged] = live;
  const copy = aMemory({ id: "copy", content: FIRST, createdAt: NOW - 3_600_000 });
  applyAll(workspace, []);
  const memories = [...workspace.view.memories("default"), copy];
  const next = workspaceOf({ embedder: deps.embedder, memories, issues: workspace.view.issues() });
  const clustered = await runAgent(createClusterAgent(deps), contextOf(next));
  applyAll(next, clustered.proposals);
  const run = await runAgent(createMergeAgent(deps), contextOf(next));
  expect(run.results).toMatchObject([{ sourceIds: ["copy", merged?.id].sort(), content: PLAIN }]);
  applyAll(next, run.proposals);
  const again = next.view.memories("default").find(isLive);
  expect(again?.leaves).toEqual(["copy", "m1", "m2"]);
});
