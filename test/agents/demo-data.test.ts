import { readFile } from "node:fs/promises";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAgents } from "../../src/agents/index.ts";
import type { Memory } from "../../src/model/memory.ts";
import type { ClusterResult } from "../../src/model/results.ts";
import type { View } from "../../src/ports/view.ts";
import { aMemory, aUse } from "../builders.ts";
import { type RealDeps, realDeps } from "./real-deps.ts";
import { applyAll, contextOf, runAgent, workspaceOf } from "./view-of.ts";

const groups = z.array(z.array(z.string()).readonly()).readonly();
const expectations = z.object({
  duplicates: groups,
  containment: groups,
  contradictions: groups,
  successions: groups,
  refused: z.array(z.string()).readonly(),
});
const lineSchema = z.object({
  id: z.string(),
  content: z.string(),
  created_at: z.number(),
  last_used: z.number(),
  use_count: z.number(),
  strength: z.number(),
  entities: z.array(z.string()),
  meta: z.object({ tags: z.array(z.string()) }),
});
const useSchema = z.object({ memory_id: z.string(), at: z.string() });

async function readDemo(name: string): Promise<string> {
  return await readFile(new URL(`../../assets/demo/${name}`, import.meta.url), "utf8");
}

function parseLines<T>(text: string, schema: z.ZodType<T>): readonly T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => schema.parse(JSON.parse(line)));
}

interface Night {
  readonly expected: z.infer<typeof expectations>;
  readonly cluster: readonly ClusterResult[];
  readonly view: View;
}

/** One night over the demo's six weeks of memories, read-only afterwards. */
async function runDemo(deps: RealDeps): Promise<Night> {
  const lines = parseLines(await readDemo("memories.jsonl"), lineSchema);
  const uses = parseLines(await readDemo("uses.jsonl"), useSchema);
  const memories = lines.map(
    (line): Memory =>
      aMemory({
        id: line.id,
        content: line.content,
        createdAt: line.created_at * 1000,
        baseUseCount: line.use_count,
        baseLastUsedAt: line.last_used * 1000,
        strength: line.strength,
        entities: line.entities,
        tags: line.meta.tags,
      }),
  );
  const workspace = workspaceOf({
    memories,
    uses: uses.map(({ memory_id, at }, n) =>
      aUse({ id: `u${n}`, memoryId: memory_id, at: Date.parse(at) }),
    ),
    embedder: deps.embedder,
    now: Math.max(...memories.map(({ createdAt }) => createdAt)) + 3_600_000,
  });
  const results = new Map<string, readonly unknown[]>();
  for (const agent of createAgents(deps)) {
    const run = await runAgent(agent, contextOf(workspace));
    applyAll(workspace, run.proposals);
    results.set(agent.name, run.results);
  }
  const expected = expectations.parse(JSON.parse(await readDemo("expect.json")));
  // The cluster agent's results, by its own type.
  const cluster = (results.get("cluster") ?? []) as readonly ClusterResult[];
  return { expected, cluster, view: workspace.view };
}

// A run takes seconds and nothing below changes what it left.
let night: Night;
beforeAll(async () => {
  night = await runDemo(await realDeps());
});

function becameOne(ids: readonly string[]): boolean {
  const targets = ids.map((id) => night.view.memory("default", id)?.supersededBy);
  return targets[0] !== undefined && new Set(targets).size === 1;
}

test("a night over the demo merges every copy and every part", () => {
  const { duplicates, containment } = night.expected;
  for (const group of [...duplicates, ...containment]) {
    const isThere = group.every(
      (id) => night.view.memory("default", id)?.archivedReason !== "decayed",
    );
    expect([group, !isThere || becameOne(group)]).toEqual([group, true]);
  }
});

test("a night over the demo finds every contradiction, and merges none", () => {
  const { contradictions, successions, refused } = night.expected;
  const found = night.cluster
    .filter(({ action }) => action === "conflict")
    .map(({ memoryIds }) => memoryIds.join());
  for (const pair of contradictions) expect(found).toContain(pair.toSorted().join());
  for (const pair of [...contradictions, ...successions, refused]) {
    expect([pair, becameOne(pair)]).toEqual([pair, false]);
  }
});
