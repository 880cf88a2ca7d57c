import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type AgentContext,
  ClusterDetector,
  ConsolidationAgent,
  DecayAnalyzer,
  LTMPromoter,
  type Memory,
  type Outcome,
  open,
  RelationshipDiscovery,
  reviseMemory,
  type ScanResult,
  Scheduler,
  SemanticMerge,
  type Slowwave,
} from "../../src/index.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import { aMemory, aUse, BUILT_AT } from "../builders.ts";

/** CortexGraph's documented snippets, in TypeScript, over a real store. */

const NOW = BUILT_AT + 60 * DAY_MS;

async function openFilled(memories: readonly Memory[]): Promise<Slowwave> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-api-"));
  const vault = await mkdtemp(path.join(tmpdir(), "slowwave-vault-"));
  const slowwave = await open({ store: path.join(folder, "store"), vault, asOf: NOW, env: {} });
  onTestFinished(async () => {
    await slowwave.close();
    await rm(folder, { recursive: true });
    await rm(vault, { recursive: true });
  });
  await slowwave
    .getStorage()
    .commit(memories.map((after) => ({ record: "memory", before: null, after })));
  return slowwave;
}

const DUPLICATES = [
  aMemory({
    id: "mem-123",
    content: "Python runs the API of Project X.",
    entities: ["Python", "Project X"],
  }),
  aMemory({
    id: "mem-456",
    content: "Python runs the API of  Project X",
    entities: ["Python", "Project X"],
  }),
  aMemory({
    id: "mem-789",
    content: "Project X ships on Fridays, says Ada.",
    entities: ["Project X", "Ada"],
  }),
];

test("DecayAnalyzer reports memories at risk with urgency and action", async () => {
  const slowwave = await openFilled(DUPLICATES);
  const analyzer = new DecayAnalyzer(slowwave, { dryRun: true });
  const results = await analyzer.run();
  expect(results.map((result) => result.memoryId).toSorted()).toEqual([
    "mem-123",
    "mem-456",
    "mem-789",
  ]);
  for (const result of results) {
    expect(["high", "medium", "low"]).toContain(result.urgency);
    expect(["reinforce", "gc_candidate", "needs_review"]).toContain(result.action);
  }
});

test("ClusterDetector finds the group, and SemanticMerge merges what it filed", async () => {
  const slowwave = await openFilled(DUPLICATES);
  const detector = new ClusterDetector(slowwave, { similarityThreshold: 0.83, minClusterSize: 2 });
  const clusters = await detector.run();
  expect(clusters).toContainEqual(
    expect.objectContaining({ memoryIds: ["mem-123", "mem-456"], action: "auto_merge" }),
  );

  const preview = await new SemanticMerge(slowwave, { dryRun: true }).run();
  const merged = await new SemanticMerge(slowwave).run();
  expect(merged).toEqual(preview);
  expect(merged[0]?.sourceIds).toEqual(["mem-123", "mem-456"]);
  expect(merged[0]?.relationIds).toHaveLength(2);
});

test("LTMPromoter writes a note for a memory that is used", async () => {
  const slowwave = await openFilled(DUPLICATES);
  const uses = [1, 2, 3, 4, 5].map((day) =>
    aUse({ id: `u${day}`, memoryId: "mem-789", at: NOW - day * DAY_MS }),
  );
  await slowwave.getStorage().recordUses(uses);
  const results = await new LTMPromoter(slowwave).run();
  expect(results).toMatchObject([
    { memoryId: "mem-789", vaultPath: expect.stringMatching(/\.md$/) },
  ]);
  expect(results[0]?.criteriaMet).toContain("uses");
});

test("RelationshipDiscovery links memories that share entities, both ways", async () => {
  const slowwave = await openFilled(DUPLICATES);
  const results = await new RelationshipDiscovery(slowwave).run();
  const pairs = results.map((result) => [result.fromId, result.toId]);
  expect(pairs).toContainEqual(["mem-123", "mem-789"]);
  const stored = await slowwave.getStorage().read("relation");
  const links = stored.map((relation) => [relation.from, relation.to]);
  expect(links).toHaveLength(2 * pairs.length);
  expect(links).toContainEqual(["mem-123", "mem-789"]);
  expect(links).toContainEqual(["mem-789", "mem-123"]);
  expect(results.every((result) => result.relationType === "related" && result.created)).toBe(true);
});

test("Scheduler runs the pipeline, one agent, and on schedule", async () => {
  const slowwave = await openFilled(DUPLICATES);
  const preview = await new Scheduler(slowwave, { dryRun: true }).runPipeline();
  expect(Object.keys(preview)).toEqual(["decay", "cluster", "merge", "promote", "relations"]);
  const scheduler = new Scheduler(slowwave, { dryRun: false, intervalHours: 1 });
  expect(await scheduler.runScheduled()).toMatchObject({ skipped: false, results: preview });
  expect(await scheduler.runScheduled()).toMatchObject({
    skipped: true,
    reason: expect.any(String),
  });
  expect(await scheduler.runScheduled({ force: true })).toMatchObject({ skipped: false });
  expect(await scheduler.runAgent("decay")).toBeInstanceOf(Array);
});

test("postSaveHook tells of a memory that is at high risk already", async () => {
  const slowwave = await openFilled([
    aMemory({ id: "old", createdAt: NOW - 90 * DAY_MS }),
    aMemory({ id: "new", createdAt: NOW }),
  ]);
  expect(await slowwave.postSaveHook("old")).toMatchObject({
    memoryId: "old",
    urgency: "high",
    action: expect.any(String),
  });
  expect(await slowwave.postSaveHook("new")).toBeNull();
  expect(await slowwave.postSaveHook("memory-123")).toBeNull();
});

test("the issue helpers create, query, claim, close and block", async () => {
  const slowwave = await openFilled(DUPLICATES);
  const { issues } = slowwave;
  const id = await issues.createConsolidationIssue({
    agent: "decay",
    memoryIds: ["mem-123", "mem-456"],
    action: "reinforce",
    urgency: "high",
  });
  expect(await issues.queryConsolidationIssues({ agent: "decay", status: "open" })).toMatchObject([
    { id, priority: 1, labels: ["consolidation", "consolidation:decay", "urgency:high"] },
  ]);
  expect(await issues.claimIssue(id)).toBe(true);
  expect(await issues.claimIssue(id)).toBe(false);
  await issues.closeIssue(id, "Processed successfully");
  const other = await issues.createConsolidationIssue({
    agent: "merge",
    memoryIds: ["mem-789"],
    action: "merge",
    urgency: "low",
  });
  await issues.blockIssue(other, "cannot read mem-789");
  expect(await issues.queryConsolidationIssues({ status: "blocked" })).toMatchObject([
    { id: other },
  ]);
});

class Tagger extends ConsolidationAgent<{ readonly memoryId: string }> {
  override readonly name = "tagger";

  override async scan({ view }: AgentContext): Promise<ScanResult> {
    const items = view.memories("default").filter((memory) => !memory.tags.includes("seen"));
    return { items: items.map((memory) => memory.id), scanned: items.length, held: {}, notes: [] };
  }

  override async process(
    id: string,
    { view }: AgentContext,
  ): Promise<readonly Outcome<{ readonly memoryId: string }>[]> {
    const memory = view.memory("default", id);
    if (memory === undefined) return [{ kind: "held", itemId: id, reason: "gone" }];
    return [
      {
        kind: "proposal",
        proposal: {
          id: `tagger:${id}`,
          agent: this.name,
          namespace: memory.namespace,
          action: "tag",
          results: [{ memoryId: id }],
          confidence: 1,
          reason: "not seen yet",
          dependsOn: [],
          changes: [
            { kind: "memory.put", before: memory, after: reviseMemory(memory, { tags: ["seen"] }) },
          ],
          finding: { title: `Tag ${id}`, urgency: "low", members: [memory], scores: {} },
        },
      },
    ];
  }
}

test("an agent of one's own has dry runs, gate and journal like the five", async () => {
  const slowwave = await openFilled([aMemory({ id: "a" })]);
  const preview = await new Tagger(slowwave, { dryRun: true }).run();
  expect(await new Tagger(slowwave).run()).toEqual(preview);
  expect(await new Tagger(slowwave).run()).toEqual([]);
  expect(await slowwave.getStorage().read("journal")).toHaveLength(1);
});
