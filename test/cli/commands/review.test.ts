import { expect, test } from "vitest";
import { createAgents } from "../../../src/agents/index.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { fingerprintOf, type Issue } from "../../../src/model/issue.ts";
import type { Memory } from "../../../src/model/memory.ts";
import { realDeps } from "../../agents/real-deps.ts";
import { aMemory, anIssue, BUILT_AT } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli, type TestCli } from "../run-cli.ts";

const TEA = aMemory({ id: "m1", content: "Maria prefers green tea in the morning." });
const COFFEE = aMemory({ id: "m2", content: "Maria drinks her green tea from a blue cup." });

/** A doubtful group of two, as the cluster agent would file it. */
function aGroup(fields: Partial<Issue> = {}): Issue {
  const notes = { ...anIssue().notes, ...fields.notes };
  const { agent, action, memoryIds } = notes;
  const members = [TEA, COFFEE].filter(({ id }) => memoryIds.includes(id));
  const fingerprint = fingerprintOf({ agent, namespace: "default", action, members });
  return anIssue({ fingerprint, ...fields, notes });
}

async function withIssues(issues: readonly Issue[], memories: readonly Memory[] = [TEA, COFFEE]) {
  const deps = await realDeps();
  const cli = createTestCli({ agents: () => createAgents(deps) });
  await fill(cli.store, memories);
  await cli.store.commit(issues.map((after) => ({ record: "issue", before: null, after })));
  return cli;
}

async function issueOf(cli: TestCli, id = "sw-1"): Promise<Issue | undefined> {
  return (await cli.store.read("issue", { ids: [id] }))[0];
}

test("review --json lists what waits, with the texts and what approving would do", async () => {
  const cli = await withIssues([
    aGroup(),
    anIssue({ id: "sw-2", fingerprint: "2", status: "closed" }),
    anIssue({ id: "sw-3", fingerprint: "3", labels: ["consolidation", "approved"] }),
  ]);
  const before = await cli.store.snapshot();
  const { issues } = (await cli.run("review", "--json")).json() as { issues: object[] };
  expect(issues).toHaveLength(1);
  expect(issues[0]).toMatchObject({
    id: "sw-1",
    why: "alike, not the same",
    memories: [
      { id: "m1", content: TEA.content },
      { id: "m2", content: COFFEE.content },
    ],
    approving: { agent: "merge", mergedText: `${TEA.content}\n${COFFEE.content}` },
  });
  expect((await cli.store.snapshot()).version).toEqual(before.version);
});

test("what review --json says approving would do is what the next run does", async () => {
  const cli = await withIssues([aGroup()]);
  const { issues } = (await cli.run("review", "--json")).json() as {
    issues: { approving: { changes: { after: { id: string } }[] } }[];
  };
  await cli.run("review", "approve", "sw-1");
  await cli.run("run");
  const changed = issues[0]?.approving.changes.map(({ after }) => after.id) ?? [];
  const memories = await cli.store.read("memory", { ids: changed });
  expect(memories.map(({ status }) => status).toSorted()).toEqual([
    "active",
    "archived",
    "archived",
  ]);
  expect(await issueOf(cli)).toMatchObject({ status: "closed", closedBy: "agent:merge" });
});

test("review approve --now lets the agent act at once", async () => {
  const cli = await withIssues([aGroup()]);
  const { code, stdout } = await cli.run("review", "approve", "sw-1", "--now", "--reason", "same");
  expect(code).toBe(0);
  expect(stdout).toContain("sw-1 is approved");
  const issue = await issueOf(cli);
  expect(issue?.comments.map(({ author, text }) => `${author} ${text}`)).toEqual([
    "person:ada approved",
    "person:ada same",
    expect.stringContaining("agent:merge closed: merged into"),
  ]);
});

test("review approve --now keeps the verdict where another run holds the lease", async () => {
  const cli = await withIssues([aGroup()]);
  const until = BUILT_AT + DAY_MS;
  await cli.store.acquireLease({ holder: "host|boot|7|1", token: "t", now: BUILT_AT, until });
  const { code, stdout } = await cli.run("review", "approve", "sw-1", "--now");
  expect(code).toBe(3);
  expect(stdout).toContain("sw-1 is approved");
  expect(stdout).toContain("merge was not run: another run holds the lease");
  expect((await issueOf(cli))?.labels).toContain("approved");
});

test("review reject closes with the reason, and the finding counts as declined", async () => {
  const cli = await withIssues([aGroup()]);
  await cli.run("review", "reject", "sw-1", "--reason", "two facts", "--by", "bea");
  expect(await issueOf(cli)).toMatchObject({
    status: "closed",
    closeReason: "two facts",
    closedBy: "person:bea",
  });
  expect((await cli.run("review", "--json")).json()).toMatchObject({ issues: [] });
  expect((await cli.run("review")).stdout).toBe("nothing waits for you\n");
});

test("a verdict on several issues reports each that could not be decided, and decides the rest", async () => {
  const cli = await withIssues([
    aGroup(),
    anIssue({ id: "sw-2", fingerprint: "2", status: "closed", closeReason: "done" }),
  ]);
  const { code, stdout } = await cli.run("review", "approve", "sw-2", "sw-9", "sw-1", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    decided: [{ id: "sw-1" }],
    failed: [{ id: "sw-2" }, { id: "sw-9", hint: expect.stringContaining("issues list") }],
  });
});

test("what nobody acts upon cannot be approved, and review says what to do instead", async () => {
  const notes = { ...anIssue().notes, agent: "promote", action: "note_edited" };
  const cli = await withIssues([aGroup({ notes })]);
  const { issues } = (await cli.run("review", "--json")).json() as { issues: object[] };
  expect(issues[0]).toMatchObject({
    approving: { agent: null, summary: [expect.stringContaining("your edit of the note stays")] },
  });
  const { code, stdout } = await cli.run("review", "approve", "sw-1");
  expect(code).toBe(1);
  expect(stdout).toContain("nothing carries out an approved note_edited");
  expect((await issueOf(cli))?.labels).not.toContain("approved");
});

test("review tells how a contradiction that no agent settles is ended", async () => {
  const notes = { ...anIssue().notes, action: "conflict" };
  const cli = await withIssues([aGroup({ notes })]);
  const { issues } = (await cli.run("review", "--json")).json() as { issues: object[] };
  expect(issues[0]).toMatchObject({
    approving: { agent: "cluster", summary: [expect.stringContaining("slowwave forget")] },
  });
});

test("review shows what approving a decay issue archives", async () => {
  const old = aMemory({ id: "m1", createdAt: BUILT_AT - 100 * DAY_MS });
  const notes = { ...anIssue().notes, agent: "decay", action: "gc_candidate", memoryIds: ["m1"] };
  const used = aMemory({ id: "m2", content: "Used.", baseUseCount: 3 });
  const cli = await withIssues([aGroup({ notes })], [old, used]);
  const { issues } = (await cli.run("review", "--json")).json() as { issues: object[] };
  expect(issues[0]).toMatchObject({
    approving: { agent: "decay", summary: [expect.stringContaining("archive m1  Maria prefers")] },
  });
});

test("review says why approving would do nothing", async () => {
  const cli = await withIssues([aGroup({ fingerprint: "of other contents" })]);
  const { issues } = (await cli.run("review", "--json")).json() as { issues: object[] };
  expect(issues[0]).toMatchObject({
    approving: { agent: "merge", changes: [], summary: ["1 changed since they were found"] },
  });
});

test("merge work that nobody needs to decide does not wait, unless it is blocked", async () => {
  const labels = ["consolidation", "consolidation:cluster", "consolidation:merge"];
  const cli = await withIssues([
    anIssue({ id: "sw-1", fingerprint: "1", labels }),
    anIssue({ id: "sw-2", fingerprint: "2", labels, status: "blocked" }),
  ]);
  const { issues } = (await cli.run("review", "--json")).json() as { issues: object[] };
  expect(issues).toMatchObject([{ id: "sw-2" }]);
});

test("review without a terminal lists, and filters by agent, urgency and number", async () => {
  const cli = await withIssues([
    aGroup(),
    anIssue({
      id: "sw-2",
      fingerprint: "2",
      priority: 1,
      labels: ["consolidation", "urgency:high"],
      notes: { ...anIssue().notes, urgency: "high" },
    }),
  ]);
  expect((await cli.run("review")).stdout).toContain("slowwave review approve <id…>");
  const ids = async (...argv: string[]) => {
    const { issues } = (await cli.run("review", "--json", ...argv)).json();
    return (issues as { id: string }[]).map(({ id }) => id);
  };
  expect(await ids()).toEqual(["sw-2", "sw-1"]);
  expect(await ids("--urgency", "medium")).toEqual(["sw-1"]);
  expect(await ids("--agent", "decay")).toEqual([]);
  expect(await ids("--limit", "1")).toEqual(["sw-2"]);
});

test("a filter together with ids is a usage error", async () => {
  const { code, stderr } = await createTestCli().run("review", "approve", "sw-1", "--limit", "2");
  expect(code).toBe(2);
  expect(stderr).toContain("takes ids, not --limit");
});
