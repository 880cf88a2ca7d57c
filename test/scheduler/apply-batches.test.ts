import { expect, test } from "vitest";
import type { Change } from "../../src/model/change.ts";
import { reviseMemory } from "../../src/model/memory.ts";
import type { Proposal } from "../../src/model/proposal.ts";
import type { Agent } from "../../src/ports/agent.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { aMemory, aRelation } from "../builders.ts";
import { createRunDeps, fill, tagAgent } from "./run-deps.ts";

const PER_BATCH = 100;

function proposal(id: string, changes: readonly Change[]): Proposal<unknown> {
  return {
    id,
    agent: "marker",
    namespace: "default",
    action: "mark",
    results: [],
    confidence: 1,
    reason: "both are about it",
    dependsOn: [],
    changes,
    finding: { title: id, urgency: "low", members: [], scores: {} },
  };
}

test("a record that two proposals mark alike, in two batches, and a later agent changes, is written whole", async () => {
  const marked = aMemory({ id: "a" });
  const mark: Change = {
    kind: "memory.put",
    before: marked,
    after: reviseMemory(marked, { disputed: true }),
  };
  const many = Array.from({ length: PER_BATCH }, (_, at): Change => {
    const after = aRelation({ id: `r${at}`, from: "a", to: `b${at}` });
    return { kind: "relation.put", before: null, after };
  });
  const proposals = new Map([
    ["first", proposal("first", [mark, ...many])],
    ["second", proposal("second", [mark])],
  ]);
  const marker: Agent<unknown> = {
    name: "marker",
    scan: async () => ({ items: [...proposals.keys()], scanned: 1, held: {}, notes: [] }),
    process: async (item) => {
      const found = proposals.get(item);
      return found === undefined ? [] : [{ kind: "proposal", proposal: found }];
    },
  };
  const createAgents = () => [marker, tagAgent({ tag: "seen" })];
  const deps = { ...createRunDeps({ createAgents }), changesPerBatch: PER_BATCH };
  await fill(deps.store, [marked]);
  const report = await runPipeline(deps);
  expect(report.fates.map(({ fate, why }) => [fate, why])).toEqual(
    report.fates.map(() => ["applied", undefined]),
  );
  expect(await deps.store.read("memory")).toMatchObject([
    { disputed: true, tags: ["seen"], revision: 3 },
  ]);
});
