import { expect, test } from "vitest";
import { SlowwaveError } from "../../../src/model/errors.ts";
import { aJournalEntry, aMemory, aRun, BUILT_AT } from "../../builders.ts";
import { fill, tagAgent } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

function createTaggingCli(confidence = 1) {
  return createTestCli({ agents: () => [tagAgent({ name: "decay", tag: "seen", confidence })] });
}

test("run applies the pipeline and reports per agent", async () => {
  const cli = createTaggingCli();
  await fill(cli.store, [aMemory()]);
  const { code, stdout } = await cli.run("run");
  expect(code).toBe(0);
  expect(stdout).toContain("completed (as of 2026-03-02T09:00:00.000Z)");
  expect(stdout).toContain("decay     looked at 1, did 1");
  expect(stdout).toContain("tag: Tag m1");
  expect(await cli.store.read("memory")).toMatchObject([{ tags: ["seen"] }]);
  expect(cli.opened[0]).toMatchObject({ mode: "write", create: false });
});

test("run --dry-run opens for reading, shows the same changes and writes nothing", async () => {
  const cli = createTaggingCli();
  await fill(cli.store, [aMemory()]);
  const before = await cli.store.snapshot();
  const { code, stdout } = await cli.run("run", "--dry-run");
  expect(code).toBe(0);
  expect(stdout).toContain("nothing was written");
  expect(stdout).toContain("would do 1");
  expect(stdout).toContain("`slowwave run` does it.");
  expect(cli.opened[0]).toMatchObject({ mode: "read" });
  expect((await cli.store.snapshot()).version).toEqual(before.version);
});

test("run --json prints one document with the counts of each agent", async () => {
  const cli = createTaggingCli();
  await fill(cli.store, [aMemory()]);
  const dry = (await cli.run("run", "--dry-run", "--json")).json();
  expect(dry).toMatchObject({
    version: 1,
    run: { dryRun: true, status: "completed", asOf: "2026-03-02T09:00:00.000Z" },
    agents: {
      decay: {
        ...{ scanned: 1, planned: 1, applied: 0, waiting: 0, skipped: 0, failed: 0 },
        results: [{ memoryId: "m1" }],
      },
    },
    proposals: [{ agent: "decay", action: "tag", fate: "planned", memoryIds: ["m1"] }],
  });
  const live = (await cli.run("run", "--json")).json();
  expect(live).toMatchObject({ run: { dryRun: false }, agents: { decay: { applied: 1 } } });
});

test("run says what waits for a person and where to find it", async () => {
  const cli = createTaggingCli(0.5);
  await fill(cli.store, [aMemory()]);
  const { stdout } = await cli.run("run");
  expect(stdout).toContain("1 wait for a person");
  expect(stdout).toContain("waits tag: Tag m1 (not certain enough)");
  expect(stdout).toContain("slowwave issues list");
});

test("run --scheduled runs when due, skips when not, and --force runs all the same", async () => {
  const cli = createTaggingCli();
  await fill(cli.store, [aMemory()]);
  const scheduled = ["run", "--scheduled", "--interval-hours", "2", "--json"];
  expect((await cli.run(...scheduled)).json()).toHaveProperty("run");
  const skipped = await cli.run(...scheduled, "--as-of", "2026-03-02T10:00:00Z");
  expect(skipped.code).toBe(0);
  expect(skipped.json()).toMatchObject({ skipped: true, reason: expect.stringContaining("2 h") });
  const forced = await cli.run(...scheduled, "--force", "--as-of", "2026-03-02T10:00:00Z");
  expect(forced.json()).toHaveProperty("run");
  const due = await cli.run(...scheduled, "--as-of", "2026-03-02T12:00:00Z");
  expect(due.json()).toHaveProperty("run");
});

test("the interval comes from the environment in seconds, and the flag wins", async () => {
  const cli = createTaggingCli();
  await cli.run("run");
  const env = { CORTEXGRAPH_CONSOLIDATION_INTERVAL: "7200" };
  const later = ["run", "--scheduled", "--as-of", "2026-03-02T10:30:00Z"];
  expect((await cli.runWith({ env }, ...later)).stdout).toContain("nothing is due");
  expect((await cli.runWith({ env }, ...later, "--interval-hours", "1")).stdout).toContain("run-");
});

test("--quiet prints nothing when nothing is due, or nothing was to do", async () => {
  const cli = createTaggingCli();
  await fill(cli.store, [aMemory()]);
  expect((await cli.run("run", "--quiet")).stdout).toContain("did 1");
  const silent = { code: 0, stdout: "", stderr: "" };
  expect(await cli.run("run", "--quiet")).toMatchObject(silent);
  expect(await cli.run("run", "--quiet", "--scheduled")).toMatchObject(silent);
});

test("run --agent of a store without that agent's work names the agents there are", async () => {
  const { code, stderr } = await createTaggingCli().run("run", "--agent", "merge");
  expect(code).toBe(2);
  expect(stderr).toContain("Agents are: decay.");
});

test("run reduces its scope by tag, kind, since and namespace", async () => {
  const scopes: boolean[][] = [];
  const memories = [aMemory({ id: "a", tags: ["t"] }), aMemory({ id: "b", kind: "episodic" })];
  const cli = createTestCli({
    agents: () => [
      {
        name: "decay",
        scan: async (context) => {
          scopes.push(memories.map((memory) => context.inScope(memory)));
          return { items: [], scanned: 0, held: {}, notes: [] };
        },
        process: async () => [],
      },
    ],
  });
  await fill(cli.store, memories);
  await cli.run("run", "--tag", "t");
  await cli.run("run", "--kind", "episodic");
  await cli.run("run", "--since", "2027-01-01");
  await cli.run("run", "--namespace", "work");
  expect(scopes).toEqual([
    [true, false],
    [false, true],
    [false, false],
    [false, false],
  ]);
});

test("a failing item gives exit code 1 and is named", async () => {
  const cli = createTestCli({
    agents: () => [
      {
        name: "decay",
        scan: async () => ({
          items: ["m1"],
          scanned: 1,
          held: { too_young: 12, never_used: 30 },
          notes: ["look here"],
        }),
        process: async () => {
          throw new SlowwaveError("language_model", "the model is away");
        },
      },
    ],
  });
  const { code, stdout } = await cli.run("run");
  expect(code).toBe(1);
  expect(stdout).toContain("failed m1: the model is away");
  expect(stdout).toContain("held back: 30 never used, 12 too young");
  expect(stdout).toContain("note: decay: look here");
});

test("a stop signal while planning ends the run with 130", async () => {
  const cli = createTestCli({
    agents: () => [
      {
        name: "decay",
        scan: async ({ signal }) => {
          cli.signal("SIGINT");
          signal.throwIfAborted();
          return { items: [], scanned: 0, held: {}, notes: [] };
        },
        process: async () => [],
      },
    ],
  });
  const { code, stderr } = await cli.run("run");
  expect(code).toBe(130);
  expect(stderr).toContain("error: ");
  expect(await cli.store.read("run")).toMatchObject([{ status: "interrupted" }]);
});

test("a run that another one holds back ends with 3", async () => {
  const cli = createTaggingCli();
  const soon = BUILT_AT + 60_000;
  await cli.store.acquireLease({ holder: "host|boot|7|1", token: "t", now: BUILT_AT, until: soon });
  const { code, stderr } = await cli.run("run");
  expect(code).toBe(3);
  expect(stderr).toContain("error: ");
});

test("runs lists live runs, newest first, and show tells their steps", async () => {
  const cli = createTaggingCli();
  await fill(cli.store, [aMemory()]);
  expect((await cli.run("runs")).stdout).toBe("no runs yet\n");
  await cli.run("run", "--dry-run");
  await cli.run("run");
  await cli.run("run", "--as-of", "2026-03-03T09:00:00Z");
  const { runs } = (await cli.run("runs", "--json")).json();
  expect(runs).toMatchObject([
    { dryRun: false, status: "completed", startedAt: "2026-03-03T09:00:00.000Z" },
    { dryRun: false, status: "completed", startedAt: "2026-03-02T09:00:00.000Z" },
  ]);
  const [, first] = runs as { id: string }[];
  const shown = (await cli.run("runs", "show", first?.id ?? "", "--json")).json();
  expect(shown).toMatchObject({
    run: { id: first?.id },
    steps: [{ agent: "decay", action: "tag", reason: "lacks seen", state: "applied" }],
  });
  const page = (await cli.run("runs", "show", first?.id ?? "")).stdout;
  expect(page).toContain("decay     looked at 1, did 1");
  expect(page).toContain("decay/tag: lacks seen");
  expect(page).toMatch(/size: memories 1, archived 0, text \d+ B, notes 0/);
  expect(page).toMatch(/1 and up +1 +1 +█/);
  expect((await cli.run("runs", "show", "run-none")).code).toBe(1);
  expect((await cli.run("runs", "--limit", "1", "--json")).json().runs).toHaveLength(1);
});

test("runs shows interrupted ones, and steps that were rolled back as such", async () => {
  const cli = createTestCli();
  const step = {
    ...{ proposalId: "p", agent: "merge", action: "merge", namespace: "default" },
    ...{ confidence: 1, reason: "exact copies" },
  };
  await cli.store.commit([
    { record: "run", before: null, after: aRun({ status: "interrupted" }) },
    {
      record: "journal",
      before: null,
      after: aJournalEntry({ state: "rolled_back", steps: [step] }),
    },
  ]);
  expect((await cli.run("runs")).stdout).toContain("interrupted");
  expect((await cli.run("runs", "show", "run-1")).stdout).toContain("exact copies (rolled_back)");
});

test("an alarm is printed also where nothing was to do and --quiet is given", async () => {
  const cli = createTaggingCli();
  const ahead = BUILT_AT + 40 * 86_400_000;
  await cli.store.commit([
    { record: "run", before: null, after: aRun({ asOf: ahead, startedAt: ahead }) },
  ]);
  const first = await cli.run("run", "--quiet");
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("alarm: clock: it is") });
  expect((await cli.run("run", "--quiet")).stdout).toBe("");
});
