import { expect, test } from "vitest";
import { createPromoteAgent } from "../../../src/agents/promote/create-promote-agent.ts";
import { DAY_MS } from "../../../src/model/instant.ts";
import { closeIssueRecord } from "../../../src/model/issue.ts";
import { type Memory, reviseMemory } from "../../../src/model/memory.ts";
import type { Workspace } from "../../../src/scheduler/workspace.ts";
import { aMemory } from "../../builders.ts";
import { applyAll, contextOf, NOW, runAgent, workspaceOf } from "../view-of.ts";

const TOKEN = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;

/** Two days old and used an hour ago: nothing but the secret holds it back. */
function aSecret(id: string, fields: Partial<Memory> = {}): Memory {
  return aMemory({
    id,
    content: `Maria deploys the ${id} service with the token ${TOKEN} every Friday`,
    createdAt: NOW - 2 * DAY_MS,
    baseUseCount: 1,
    baseLastUsedAt: NOW - 3_600_000,
    ...fields,
  });
}

async function promote(workspace: Workspace, tuned: object = {}) {
  const run = await runAgent(createPromoteAgent(), contextOf(workspace, { tuned }));
  applyAll(workspace, run.proposals);
  return { ...run, changes: run.proposals.flatMap(({ changes }) => changes) };
}

test("a memory with a secret waits with an issue that names the kind of secret and shows no word of it", async () => {
  const workspace = workspaceOf({ memories: [aSecret("a")] });
  const run = await promote(workspace);
  expect(run.held).toEqual({ secret: 1 });
  expect(run.results).toEqual([]);
  const [issue] = workspace.view.issues();
  expect(issue).toMatchObject({
    status: "open",
    labels: ["consolidation", "consolidation:promote", "urgency:medium"],
    notes: { action: "secret", memoryIds: ["a"], details: { kinds: ["github_token"] } },
  });
  expect(JSON.stringify(issue)).not.toMatch(/ghp_|Maria|Friday/);
  expect((await promote(workspace)).changes).toEqual([]);
});

test("a secret in a tag or source of a memory counts as one in its text", async () => {
  const plain = { content: "Maria deploys the service every Friday" };
  const memories = [
    aSecret("a", { ...plain, tags: [TOKEN] }),
    aSecret("b", { ...plain, source: TOKEN }),
  ];
  const workspace = workspaceOf({ memories });
  expect((await promote(workspace)).held).toEqual({ secret: 2 });
  expect(workspace.view.issues()).toHaveLength(2);
});

test.each([
  ["edited", { content: "Maria deploys the service every Friday" }],
  ["archived", { status: "archived", archivedReason: "forgotten" }],
] as const)("the issue about a secret closes once the memory is %s", async (_how, changes) => {
  const workspace = workspaceOf({ memories: [aSecret("a")] });
  await promote(workspace);
  const before = workspace.view.memory("default", "a") ?? aSecret("a");
  workspace.fold([{ kind: "memory.put", before, after: reviseMemory(before, changes) }]);
  await promote(workspace);
  expect(workspace.view.issues()).toMatchObject([{ status: "closed", closedBy: "agent:promote" }]);
});

test("an issue about a secret that a person closed is not filed again, and the memory still waits", async () => {
  const workspace = workspaceOf({ memories: [aSecret("a")] });
  await promote(workspace);
  const [before] = workspace.view.issues();
  if (before === undefined) throw new Error("no issue was opened");
  const after = closeIssueRecord(before, { reason: "known", by: "person:kim", at: NOW });
  workspace.fold([{ kind: "issue.put", before, after }]);
  const again = await promote(workspace);
  expect([again.held, again.changes]).toEqual([{ secret: 1 }, []]);
});

test("issues about secrets count for the cap on new issues", async () => {
  const workspace = workspaceOf({ memories: [aSecret("a"), aSecret("b")] });
  const run = await promote(workspace, { issuesPerDay: 1 });
  expect(workspace.view.issues()).toHaveLength(1);
  expect(run.held).toEqual({ secret: 2, issues_capped: 1 });
});
