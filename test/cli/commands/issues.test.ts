import { expect, test } from "vitest";
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
