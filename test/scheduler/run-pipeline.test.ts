import { expect, test } from "vitest";
import { SlowwaveError } from "../../src/model/errors.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import { closeIssueRecord, type Issue } from "../../src/model/issue.ts";
import type { RecordPut } from "../../src/ports/memory-store.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { aMemory, BUILT_AT } from "../builders.ts";
import { createRunDeps, fill, tagAgent } from "./run-deps.ts";

test("runPipeline applies what a dry run shows, and a second run has nothing to do", async () => {
  const deps = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  await fill(deps.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);

  const dry = await runPipeline(deps, { dryRun: true });
  expect(await deps.store.read("run")).toEqual([]);
  expect((await deps.store.read("memory")).map((memory) => memory.tags)).toEqual([[], []]);

  const live = await runPipeline(deps);
  expect(live.run).toEqual({ ...dry.run, dryRun: false });
  expect(live.agents.tagger?.results).toEqual(dry.agents.tagger?.results);
  expect(live.agents.tagger).toMatchObject({ scanned: 2, planned: 2, applied: 2, failed: 0 });
  expect((await deps.store.read("memory")).map((memory) => memory.tags)).toEqual([
    ["seen"],
    ["seen"],
  ]);

  const again = await runPipeline(deps);
  expect(again.agents.tagger).toMatchObject({ scanned: 2, planned: 0, applied: 0 });
  expect(await deps.store.read("journal")).toHaveLength(1);
});

test("a later agent sees the effects of an earlier one, in a dry run too", async () => {
  const agents = () => [
    tagAgent({ name: "first", tag: "one" }),
    {
      ...tagAgent({ name: "second", tag: "two" }),
      scan: async ({ view }: Parameters<ReturnType<typeof tagAgent>["scan"]>[0]) => ({
        items: view
          .memories("default")
          .filter((memory) => memory.tags.includes("one"))
          .map((memory) => memory.id),
        scanned: 1,
        held: {},
        notes: [],
      }),
    },
  ];
  const deps = createRunDeps({ createAgents: agents });
  await fill(deps.store, [aMemory({ id: "a" })]);

  const dry = await runPipeline(deps, { dryRun: true });
  expect(dry.agents.second).toMatchObject({ planned: 1 });
  await runPipeline(deps);
  const [memory] = await deps.store.read("memory");
  expect(memory).toMatchObject({ tags: ["one", "two"], revision: 3 });
  const [entry] = await deps.store.read("journal");
  expect(entry?.changes).toHaveLength(1);
  expect(entry?.steps.map((step) => step.agent)).toEqual(["first", "second"]);
});

test("a proposal of low confidence opens one issue, and is applied once a person approves", async () => {
  const deps = createRunDeps({
    createAgents: () => [tagAgent({ tag: "unsure", confidence: 0.5 })],
  });
  await fill(deps.store, [aMemory({ id: "a" })]);

  const first = await runPipeline(deps);
  expect(first.agents.tagger).toMatchObject({ planned: 1, applied: 0, waiting: 1, results: [] });
  await runPipeline(deps);
  const [issue, ...others] = await deps.store.read("issue");
  expect(others).toEqual([]);
  expect(issue).toMatchObject({ status: "open", notes: { action: "tag", memoryIds: ["a"] } });

  await putIssue(deps.store, issue, (before) => ({
    ...before,
    labels: [...before.labels, "approved"],
    revision: 2,
  }));
  const approved = await runPipeline(deps);
  expect(approved.agents.tagger).toMatchObject({ applied: 1, waiting: 0 });
  expect((await deps.store.read("issue"))[0]).toMatchObject({
    status: "closed",
    closedBy: "agent:tagger",
  });
  expect((await deps.store.read("memory"))[0]?.tags).toEqual(["unsure"]);
});

test("a proposal that a person declined is not made again until its source changes", async () => {
  const deps = createRunDeps({
    createAgents: () => [tagAgent({ tag: "unsure", confidence: 0.5 })],
  });
  const memory = aMemory({ id: "a" });
  await fill(deps.store, [memory]);
  await runPipeline(deps);
  const [issue] = await deps.store.read("issue");
  await putIssue(deps.store, issue, (before) =>
    closeIssueRecord(before, { reason: "no", by: "person:mira", at: BUILT_AT }),
  );

  const declined = await runPipeline(deps);
  expect(declined.agents.tagger).toMatchObject({ planned: 0, skipped: 1, gates: { declined: 1 } });

  await deps.store.commit([
    { record: "memory", before: memory, after: { ...memory, content: "New text.", revision: 2 } },
  ]);
  const changed = await runPipeline(deps);
  expect(changed.agents.tagger).toMatchObject({ waiting: 1, gates: {} });
});

test("a policy sends an action to review whatever its confidence", async () => {
  const base = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  const deps = {
    ...base,
    settings: { ...base.settings, policy: { "tagger.tag": "review" as const } },
  };
  await fill(deps.store, [aMemory({ id: "a" })]);
  expect((await runPipeline(deps)).agents.tagger).toMatchObject({ applied: 0, waiting: 1 });
});

test("a record that moved after the plan refuses its proposal alone", async () => {
  const a = aMemory({ id: "a" });
  let moved = false;
  const base = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  await fill(base.store, [a, aMemory({ id: "b" })]);
  const deps = {
    ...base,
    store: {
      ...base.store,
      // Another process commits between plan and apply.
      commit: async (puts: readonly RecordPut[]) => {
        if (!moved && puts.some((put) => put.record === "memory")) {
          moved = true;
          await base.store.commit([
            { record: "memory", before: a, after: { ...a, tags: ["theirs"], revision: 2 } },
          ]);
        }
        return await base.store.commit(puts);
      },
    },
  };

  const report = await runPipeline(deps);
  expect(report.run.status).toBe("failed");
  expect(report.agents.tagger).toMatchObject({ applied: 1, failed: 1 });
  expect(report.fates.map((fate) => fate.fate)).toEqual(["refused", "applied"]);
  expect(report.fates[0]?.why).toContain("memory a was changed");
  expect((await base.store.read("memory")).map((memory) => memory.tags)).toEqual([
    ["theirs"],
    ["seen"],
  ]);
});

test("an item that fails is counted and the others go on", async () => {
  const inner = tagAgent({ tag: "seen" });
  const deps = createRunDeps({
    createAgents: () => [
      {
        ...inner,
        process: async (itemId: string, context: Parameters<typeof inner.process>[1]) => {
          if (itemId === "a") throw new SlowwaveError("input", "a cannot be read");
          return await inner.process(itemId, context);
        },
      },
    ],
  });
  await fill(deps.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  const report = await runPipeline(deps);
  expect(report.run.status).toBe("failed");
  expect(report.agents.tagger).toMatchObject({ applied: 1, failed: 1 });
  expect(report.agents.tagger?.failures).toEqual([{ itemId: "a", message: "a cannot be read" }]);
});

test("an agent may answer at once: what it only reports is a result and no proposal, and what fails is counted", async () => {
  const inner = tagAgent({ tag: "seen" });
  const deps = createRunDeps({
    createAgents: () => [
      {
        ...inner,
        process: (itemId: string, context: Parameters<typeof inner.process>[1]) => {
          if (itemId === "a") throw new SlowwaveError("input", "a cannot be read");
          if (itemId === "b") return [{ kind: "report", result: "b is fine" } as const];
          return inner.process(itemId, context);
        },
      },
    ],
  });
  await fill(
    deps.store,
    ["a", "b", "c"].map((id) => aMemory({ id })),
  );
  const report = await runPipeline(deps);
  expect(report.agents.tagger).toMatchObject({ scanned: 3, planned: 1, applied: 1, failed: 1 });
  expect(report.agents.tagger?.failures).toEqual([{ itemId: "a", message: "a cannot be read" }]);
  expect(report.agents.tagger?.results).toEqual(["b is fine", ...(await resultsOf("c"))]);
  expect(report.fates.map(({ proposal }) => proposal.finding.members[0]?.id)).toEqual(["c"]);
});

/** Of a run over this memory alone. */
async function resultsOf(id: string): Promise<readonly unknown[]> {
  const deps = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  await fill(deps.store, [aMemory({ id })]);
  return (await runPipeline(deps, { dryRun: true })).agents.tagger?.results ?? [];
}

test("a limit takes the first items and says how many it left", async () => {
  const deps = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  await fill(
    deps.store,
    ["a", "b", "c"].map((id) => aMemory({ id })),
  );
  const report = await runPipeline(deps, { limit: 1 });
  expect(report.agents.tagger).toMatchObject({ applied: 1, gates: { limit: 2 } });
});

test("an unknown agent is a usage error that names the known ones", async () => {
  const deps = createRunDeps({ createAgents: () => [tagAgent({ tag: "seen" })] });
  await expect(runPipeline(deps, { agent: "tager" })).rejects.toMatchObject({
    code: "usage",
    hint: expect.stringContaining("tagger"),
  });
});

test("a run refuses while a living run holds the lease, and takes over from a dead one", async () => {
  const base = createRunDeps({ createAgents: () => [] });
  const now = base.system.wallNow();
  await base.store.acquireLease({ holder: "other", token: "x", now, until: now + DAY_MS });
  await expect(runPipeline(base)).rejects.toMatchObject({ code: "busy" });

  const deps = { ...base, system: { ...base.system, isAlive: () => "dead" as const } };
  const report = await runPipeline(deps);
  expect(report.notes.join()).toContain("taken over");
});

test("a run that is stopped while planning leaves a record and no change", async () => {
  const stop = new AbortController();
  const inner = tagAgent({ tag: "seen" });
  const deps = createRunDeps({
    createAgents: () => [
      {
        ...inner,
        process: async (itemId: string, context: Parameters<typeof inner.process>[1]) => {
          stop.abort();
          return await inner.process(itemId, context);
        },
      },
    ],
  });
  await fill(deps.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  await expect(runPipeline(deps, { signal: stop.signal })).rejects.toMatchObject({
    code: "interrupted",
  });
  expect((await deps.store.read("memory")).flatMap((memory) => memory.tags)).toEqual([]);
  expect((await deps.store.read("run")).map((run) => run.status)).toEqual(["interrupted"]);
});

async function putIssue(
  store: ReturnType<typeof createRunDeps>["store"],
  issue: Issue | undefined,
  change: (before: Issue) => Issue,
): Promise<void> {
  if (issue === undefined) throw new Error("no issue was opened");
  const result = await store.commit([{ record: "issue", before: issue, after: change(issue) }]);
  expect(result.ok).toBe(true);
}

test("a run tells how far each agent and the applying are, up to all of it", async () => {
  const reached = new Map<string, number>();
  const totals = new Map<string, number>();
  const progress = {
    start: (task: string, total?: number) => void totals.set(task, total ?? 0),
    advance: (task: string, done: number) => void reached.set(task, done),
    finish: () => undefined,
    note: () => undefined,
  };
  const deps = createRunDeps({
    createAgents: () => [tagAgent({ tag: "seen" })],
    changesPerBatch: 1,
    progress,
  });
  await fill(deps.store, [aMemory({ id: "a" }), aMemory({ id: "b" }), aMemory({ id: "c" })]);
  await runPipeline(deps);
  expect(Object.fromEntries(reached)).toEqual({ tagger: 3, apply: 3 });
  expect(Object.fromEntries(totals)).toEqual({ tagger: 3, apply: 3 });
});
