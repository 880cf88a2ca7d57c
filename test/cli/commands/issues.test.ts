import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aMemory, anIssue } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli, type TestCli } from "../run-cli.ts";

async function withIssues(...issues: ReturnType<typeof anIssue>[]): Promise<TestCli> {
  const cli = createTestCli();
  for (const after of issues) await cli.store.commit([{ record: "issue", before: null, after }]);
  return cli;
}

test("issues list shows what is not closed, filtered by status, label, agent and urgency", async () => {
  const cli = await withIssues(
    anIssue({ id: "sw-1", fingerprint: "1" }),
    anIssue({ id: "sw-2", fingerprint: "2", status: "closed" }),
    anIssue({
      id: "sw-3",
      fingerprint: "3",
      priority: 1,
      labels: ["consolidation", "consolidation:decay", "urgency:high"],
      notes: { ...anIssue().notes, agent: "decay", urgency: "high" },
    }),
  );
  const ids = async (...argv: string[]) => {
    const { issues } = (await cli.run("issues", "list", "--json", ...argv)).json();
    return (issues as { id: string }[]).map(({ id }) => id);
  };
  expect(await ids()).toEqual(["sw-3", "sw-1"]);
  expect(await ids("--status", "closed")).toEqual(["sw-2"]);
  expect(await ids("--status", "all")).toEqual(["sw-3", "sw-1", "sw-2"]);
  expect(await ids("--status", "open,closed", "--agent", "cluster")).toEqual(["sw-1", "sw-2"]);
  expect(await ids("--label", "consolidation:decay")).toEqual(["sw-3"]);
  expect(await ids("--urgency", "high")).toEqual(["sw-3"]);
  expect(await ids("--limit", "1")).toEqual(["sw-3"]);
  expect(await ids("--namespace", "work")).toEqual([]);
  expect((await cli.run("issues", "list")).stdout).toContain("2 memories look alike");
});

test("issues show tells why, with the memories it speaks of", async () => {
  const cli = await withIssues(anIssue());
  await fill(cli.store, [aMemory()]);
  const shown = (await cli.run("issues", "show", "sw-1", "--json")).json();
  expect(shown).toMatchObject({ issue: { id: "sw-1" }, memories: [{ id: "m1" }] });
  const { stdout } = await cli.run("issues", "show", "sw-1");
  expect(stdout).toContain("why: alike, not the same (cohesion 0.800)");
  expect(stdout).toContain("Maria prefers green tea.");
});

test("of parallel claims on the command line exactly one exits with 0", async () => {
  const cli = await withIssues(anIssue());
  const results = await Promise.all(
    Array.from({ length: 5 }, () => cli.run("issues", "claim", "sw-1", "--json")),
  );
  expect(results.map(({ code }) => code).toSorted()).toEqual([0, 1, 1, 1, 1]);
  const loser = results.find(({ code }) => code === 1);
  expect(loser?.json()).toMatchObject({ claimed: false, why: "held", holder: "person:ada" });
});

test("a claim lasts 24 hours unless told otherwise", async () => {
  const cli = await withIssues(anIssue());
  await cli.run("issues", "claim", "sw-1", "--lease-hours", "1", "--by", "bea");
  const late = await cli.run(
    "issues",
    "claim",
    "sw-1",
    "--as-of",
    "2026-03-02T10:00:00Z",
    "--json",
  );
  expect(late.json()).toMatchObject({
    claimed: true,
    issue: { claimedBy: "person:ada", leaseUntil: "2026-03-03T10:00:00.000Z" },
  });
});

test("close keeps the reason, reopen and approve open the way again", async () => {
  const cli = await withIssues(anIssue());
  const closed = await cli.run("issues", "close", "sw-1", "--reason", "stale", "--json");
  expect(closed.json()).toMatchObject({
    issue: { status: "closed", closeReason: "stale", closedBy: "person:ada" },
  });
  const refused = await cli.run("issues", "approve", "sw-1");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("slowwave issues reopen sw-1");
  expect((await cli.run("issues", "reopen", "sw-1")).stdout).toContain("sw-1 is open");
  expect((await cli.run("issues", "approve", "sw-1")).stdout).toContain("the next run");
});

test("an issue that does not exist is not found by any step", async () => {
  const cli = createTestCli();
  for (const step of ["show", "claim", "close", "approve", "reopen"]) {
    const { code, stderr } = await cli.run("issues", step, "sw-'x");
    expect({ step, code }).toEqual({ step, code: 1 });
    expect(stderr).toContain(`issue "sw-'x": there is none`);
  }
});

test("issues without a step shows its help and is a usage error", async () => {
  const { code, stderr } = await createTestCli().run("issues");
  expect(code).toBe(2);
  expect(stderr).toContain("claim");
});

test("issues export writes lines that issues import reads back, by file and by pipe", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-issues-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "issues.jsonl");
  const all = [anIssue(), anIssue({ id: "sw-2", fingerprint: "2", status: "closed", closedAt: 5 })];
  const from = await withIssues(...all);
  expect((await from.run("issues", "export", "--out", file)).stdout).toBe(
    `wrote 2 issues to ${file}\n`,
  );
  const piped = await from.run("issues", "export");
  expect(piped.stdout).toBe(await readFile(file, "utf8"));
  const to = createTestCli();
  expect((await to.run("issues", "import", file, "--json")).json()).toMatchObject({ added: 2 });
  expect(await to.store.read("issue")).toEqual(all);
  const again = await to.runWith({ stdin: piped.stdout }, "issues", "import", "-", "--json");
  expect(again.json()).toMatchObject({ added: 0, unchanged: 2, quarantined: [] });
});

test("issues import names each line that does not fit, and takes in the rest", async () => {
  const { stdout } = await (await withIssues(anIssue())).run("issues", "export");
  const stdin = `nonsense\n\n{"id":"bd-1","title":"theirs","priority":2}\n${stdout}`;
  const cli = createTestCli();
  const result = await cli.runWith({ stdin }, "issues", "import", "-");
  expect(result.code).toBe(1);
  expect(result.stdout).toContain("1 added, 0 updated, 0 unchanged");
  expect(result.stdout).toContain("passed over: 1 not of slowwave");
  expect(result.stdout).toContain("line 1: expected one JSON object");
});

test("issues export says where it cannot write", async () => {
  const cli = await withIssues(anIssue());
  const { code, stderr } = await cli.run("issues", "export", "--out", "/nonexistent/x.jsonl");
  expect(code).toBe(2);
  expect(stderr).toContain("/nonexistent/x.jsonl: cannot write the export");
});
