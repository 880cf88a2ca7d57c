import { expect, test } from "vitest";
import { createMemoryVault } from "../../src/adapters/memory/memory-vault.ts";
import { SlowwaveError } from "../../src/model/errors.ts";
import type { RecordPut } from "../../src/ports/memory-store.ts";
import type { VersionCommit, VersionControl } from "../../src/ports/version-control.ts";
import type { RunDeps } from "../../src/scheduler/run-deps.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { aMemory, aRelation } from "../builders.ts";
import { promotingAgent } from "./promoting-agent.ts";
import { createRunDeps, fill } from "./run-deps.ts";

const KEEP = { tags: ["keep"] };

function promotionDeps(fields: Partial<RunDeps> = {}) {
  const notes = new Map<string, string>();
  const deps = createRunDeps({
    createAgents: () => [promotingAgent()],
    vault: createMemoryVault({ notes }),
    ...fields,
  });
  return { deps, notes };
}

test("a promotion writes its note and its status together, and the next run rewrites nothing", async () => {
  const { deps, notes } = promotionDeps();
  await fill(deps.store, [
    aMemory({ id: "a", content: "Alpha", ...KEEP }),
    aMemory({ id: "b", content: "Beta", ...KEEP }),
  ]);
  await deps.store.commit([
    { record: "relation", before: null, after: aRelation({ from: "a", to: "b" }) },
  ]);

  const dry = await runPipeline(deps, { dryRun: true });
  expect(notes.size).toBe(0);
  const live = await runPipeline(deps);
  expect(live.agents).toEqual({ promote: { ...dry.agents.promote, applied: 2 } });
  expect([...notes]).toEqual([
    ["Memories/a.md", "# Alpha\n[[Memories/b.md]]\n"],
    ["Memories/b.md", "# Beta\n[[Memories/a.md]]\n"],
  ]);
  expect((await deps.store.read("memory")).map((memory) => memory.status)).toEqual([
    "promoted",
    "promoted",
  ]);

  const journal = await deps.store.read("journal");
  const again = await runPipeline(deps);
  expect(again.fates).toEqual([]);
  expect(await deps.store.read("journal")).toEqual(journal);
});

test("a note that cannot be written leaves its memory active, and the others are promoted", async () => {
  const inner = createMemoryVault();
  const vault = {
    ...inner,
    write: async (path: string, text: string) => {
      if (path.includes("a.md"))
        throw new SlowwaveError("vault", `cannot write ${path}: read-only`);
      await inner.write(path, text);
    },
  };
  const { deps } = promotionDeps({ vault });
  await fill(deps.store, [aMemory({ id: "a", ...KEEP }), aMemory({ id: "b", ...KEEP })]);
  const report = await runPipeline(deps);
  expect(report.run.status).toBe("failed");
  expect(report.fates.map((fate) => [fate.fate, fate.why])).toEqual([
    ["refused", "cannot write Memories/a.md: read-only"],
    ["applied", undefined],
  ]);
  expect((await deps.store.read("memory")).map((memory) => memory.status)).toEqual([
    "active",
    "promoted",
  ]);
});

test("a vault that is not there makes promotion wait with the reason, and the run completes", async () => {
  const vault = createMemoryVault({ state: { kind: "absent", reason: "no folder /vault" } });
  const { deps } = promotionDeps({ vault });
  await fill(deps.store, [aMemory({ id: "a", ...KEEP })]);
  const report = await runPipeline(deps);
  expect(report.run.status).toBe("completed");
  expect(report.agents.promote).toMatchObject({ skipped: 1, gates: { no_vault: 1 } });
  expect(report.notes.join()).toContain("no folder /vault");
});

test("an empty vault after notes were written counts as unmounted, not as notes deleted", async () => {
  const { deps, notes } = promotionDeps();
  await fill(deps.store, [aMemory({ id: "a", ...KEEP })]);
  await runPipeline(deps);
  notes.clear();
  const report = await runPipeline(deps);
  expect(report.notes.join()).toContain("is its drive mounted?");
  expect((await deps.store.read("memory"))[0]?.status).toBe("promoted");
});

test("a note that a person changed in our part stays, and one issue says so", async () => {
  const { deps, notes } = promotionDeps();
  await fill(deps.store, [aMemory({ id: "a", ...KEEP })]);
  await runPipeline(deps);
  notes.set("Memories/a.md", "BY HAND");
  await runPipeline(deps);
  await runPipeline(deps);
  expect(notes.get("Memories/a.md")).toBe("BY HAND");
  expect((await deps.store.read("issue")).map((issue) => issue.notes.action)).toEqual([
    "note_edited",
  ]);
});

/** Dies at the nth commit, as a kill would: nothing after it happens. */
function dyingAt(deps: RunDeps, commits: number): RunDeps {
  let left = commits;
  const commit = async (puts: readonly RecordPut[]) => {
    if (left === 0) throw new Error("killed");
    left -= 1;
    return await deps.store.commit(puts);
  };
  return { ...deps, store: { ...deps.store, commit } };
}

test("a run killed after its notes were written is finished by the next run", async () => {
  const { deps, notes } = promotionDeps();
  await fill(deps.store, [aMemory({ id: "a", ...KEEP })]);
  // Commits: run record, prepared batch; dies before the batch itself.
  await expect(runPipeline(dyingAt(deps, 2))).rejects.toThrow("killed");
  expect(notes.size).toBe(1);
  expect((await deps.store.read("memory"))[0]?.status).toBe("active");

  const report = await runPipeline(deps);
  expect(report.notes.join()).toContain("finished batch");
  expect((await deps.store.read("memory"))[0]?.status).toBe("promoted");
  expect((await deps.store.read("journal")).map((entry) => entry.state)).toEqual(["applied"]);
  expect((await deps.store.read("run")).map((run) => run.status).toSorted()).toEqual([
    "completed",
    "interrupted",
  ]);
  expect([...notes.keys()]).toEqual(["Memories/a.md"]);
});

test("an interrupted batch whose record moved is taken back, and the run plans it anew", async () => {
  const { deps, notes } = promotionDeps();
  const memory = aMemory({ id: "a", content: "Old", ...KEEP });
  await fill(deps.store, [memory]);
  await expect(runPipeline(dyingAt(deps, 2))).rejects.toThrow("killed");
  await deps.store.commit([
    { record: "memory", before: memory, after: { ...memory, content: "New", revision: 2 } },
  ]);

  const report = await runPipeline(deps);
  expect(report.notes.join()).toContain("took back batch");
  expect([...notes]).toEqual([["Memories/a.md", "# New\n"]]);
  expect((await deps.store.read("memory"))[0]).toMatchObject({
    status: "promoted",
    content: "New",
  });
});

function recordingGit(): VersionControl & { readonly commits: VersionCommit[]; occupied: boolean } {
  const commits: VersionCommit[] = [];
  const git = {
    commits,
    occupied: false,
    state: async () =>
      git.occupied
        ? ({ kind: "occupied", reason: "a merge is going on" } as const)
        : ({ kind: "ready" } as const),
    hasRun: async (runId: string) => commits.some((commit) => commit.runId === runId),
    commit: async (commit: VersionCommit) => {
      commits.push(commit);
      return { kind: "committed", commit: "1", ignored: [] } as const;
    },
  };
  return git;
}

test("a run commits its notes once, and a commit that must wait is made by the next run", async () => {
  const versionControl = recordingGit();
  const { deps } = promotionDeps({ versionControl });
  await fill(deps.store, [aMemory({ id: "a", ...KEEP })]);
  versionControl.occupied = true;
  const waiting = await runPipeline(deps);
  expect(waiting.notes.join()).toContain("a merge is going on");
  expect(versionControl.commits).toEqual([]);

  versionControl.occupied = false;
  await runPipeline(deps);
  await runPipeline(deps);
  expect(versionControl.commits).toEqual([
    {
      paths: ["Memories/a.md"],
      message: "Update 1 note from memory\n\n1 promoted",
      runId: waiting.run.id,
    },
  ]);
  expect((await deps.store.read("outbox")).map((item) => item.state)).toEqual(["done"]);
});
