import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { createClusterAgent } from "../../../src/agents/cluster/create-cluster-agent.ts";
import { judgePair, type PairJudgement } from "../../../src/agents/cluster/judge-pair.ts";
import { comparableText } from "../../../src/agents/leaves.ts";
import { cosine } from "../../../src/similarity/vectors.ts";
import { aMemory } from "../../builders.ts";
import { type RealDeps, realDeps } from "../real-deps.ts";
import { contextOf, runAgent, settingsOf, workspaceOf } from "../view-of.ts";

// Reading the table takes most of a second, and nothing changes it.
let deps: RealDeps;
beforeAll(async () => {
  deps = await realDeps();
});

function judge(a: string, b: string): PairJudgement {
  const pair = { a, b, cosine: cosine(deps.embedder.encode(a), deps.embedder.encode(b)) };
  return judgePair(pair, { deps, settings: settingsOf() });
}

/** What the cluster agent does with a store that holds the two texts and nothing else. */
async function actionOf(a: string, b: string): Promise<string | undefined> {
  const memories = [aMemory({ id: "m1", content: a }), aMemory({ id: "m2", content: b })];
  const workspace = workspaceOf({ embedder: deps.embedder, memories });
  const run = await runAgent(createClusterAgent(deps), contextOf(workspace));
  return run.results[0]?.action;
}

function isTimeless(content: string): boolean {
  return comparableText(aMemory({ content })) === content;
}

const ACTION_OF = {
  duplicate: "llm_review",
  conflict: "conflict",
  related: "keep_separate",
  unrelated: undefined,
} as const;

test("judgePair says of every hand-made pair what the cluster agent does with it", async () => {
  const fixture = new URL("../../fixtures/handmade-pairs.jsonl", import.meta.url);
  const lines = readFileSync(fixture, "utf8").split("\n").filter(Boolean);
  const pairs = lines
    .map((line): { readonly a: string; readonly b: string } => JSON.parse(line))
    // What "last year" means depends on when it was said, which a text alone does not tell.
    .filter((pair) => [pair.a, pair.b].every(isTimeless));
  expect(pairs.length).toBeGreaterThan(170);
  const expected = pairs.map(({ a, b }) => {
    const { autoMerge, verdict } = judge(a, b);
    return { a, b, action: autoMerge ? "auto_merge" : ACTION_OF[verdict] };
  });
  const found = await Promise.all(
    pairs.map(async ({ a, b }) => ({ a, b, action: await actionOf(a, b) })),
  );
  expect(found).toEqual(expected);
  // A list of one verdict would agree with an agent that does nothing.
  expect(new Set(expected.map(({ action }) => action)).size).toBeGreaterThanOrEqual(4);
});

test("judgePair merges a copy and a text that holds the other unseen", () => {
  expect(judge("Ola lives in Oslo.", "ola lives in  oslo")).toMatchObject({
    verdict: "duplicate",
    autoMerge: true,
    reason: "they are the same text",
  });
  const part = "Backups run at two.";
  expect(judge(part, `${part} They are kept for a month.`)).toMatchObject({
    verdict: "duplicate",
    autoMerge: true,
    reason: "one holds every sentence of the other",
  });
});

test("judgePair names what contradicts", () => {
  const { verdict, autoMerge, reason, conflicts } = judge(
    "The weekly team sync is at 5 PM on Thursday.",
    "The weekly team sync is at 8 PM on Thursday.",
  );
  expect([verdict, autoMerge]).toEqual(["conflict", false]);
  expect(reason).toMatch(/5 PM.*8 PM/u);
  expect(conflicts).not.toEqual([]);
});

test("judgePair asks nobody to merge two values of which both can be true", () => {
  const judgement = judge(
    "Mira told the whole team that she is allergic to peanuts.",
    "Mira told the whole team that she is allergic to shellfish.",
  );
  expect(judgement).toMatchObject({ verdict: "related", autoMerge: false });
  expect(judgement.reason).toMatch(/both be true/u);
});

test("judgePair leaves the same words in another order to somebody who reads them", () => {
  const { verdict, autoMerge } = judge(
    "A fish is hunting for a turtle in the sea near the reef.",
    "A sea turtle is hunting for fish near the reef.",
  );
  expect([verdict === "unrelated", autoMerge]).toEqual([false, false]);
});

test("judgePair merges unseen what only says who is what the other way round", () => {
  const { verdict, autoMerge } = judge(
    "The mother tongue of Dmitri Castellan is Turkish.",
    "Turkish is the mother tongue of Dmitri Castellan.",
  );
  expect([verdict, autoMerge]).toEqual(["duplicate", true]);
});

test("judgePair ranks a paraphrase above a contradiction that is nearer by its words", () => {
  const paraphrase = judge("User is allergic to peanuts.", "The user has a peanut allergy.");
  const contradiction = judge("User is allergic to peanuts.", "User is not allergic to peanuts.");
  expect(contradiction.similarity).toBeGreaterThan(paraphrase.similarity);
  expect(contradiction.sameness).toBeLessThan(paraphrase.sameness);
});

test("judgePair does not mind which text comes first", () => {
  const [a, b] = ["Standup is at 9:30 every weekday.", "The standup is on weekdays at 10:00."];
  const [one, other] = [judge(a, b), judge(b, a)];
  expect([one.verdict, one.autoMerge, one.sameness]).toEqual([
    other.verdict,
    other.autoMerge,
    other.sameness,
  ]);
});

test("judgePair gives a reason in words for texts that have nothing to do with each other", () => {
  const judgement = judge("Ola lives in Oslo.", "Backups run at two in the morning.");
  expect(judgement).toMatchObject({ verdict: "unrelated", autoMerge: false });
  expect(judgement.reason).toMatch(/below 0\.65/u);
});
