import { expect, test } from "vitest";
import { createMemoryVault } from "../../../src/adapters/memory/memory-vault.ts";
import { createPromoteAgent } from "../../../src/agents/promote/create-promote-agent.ts";
import { aMemory, aUse } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

test("promote --force writes the note of that memory alone, whatever its age and use", async () => {
  const notes = new Map<string, string>();
  const cli = createTestCli({
    agents: () => [createPromoteAgent()],
    vault: createMemoryVault({ notes }),
  });
  await fill(cli.store, [aMemory({ id: "m1" }), aMemory({ id: "due" })]);
  await cli.store.recordUses([1, 2, 3, 4, 5].map((n) => aUse({ id: `u${n}`, memoryId: "due" })));
  const later = ["--as-of", "2026-03-04T09:00:00Z"];
  const { code, stdout } = await cli.run("promote", "--force", "m1", ...later);
  expect({ code, notes: [...notes.keys()] }).toEqual({ code: 0, notes: ["Memories/m1.md"] });
  expect(stdout).toContain("write Memories/m1.md from m1  Maria prefers green tea.");
  expect(await cli.store.read("memory", { status: ["promoted"] })).toMatchObject([{ id: "m1" }]);
  const again = await cli.run("promote", "--force", "m1", ...later);
  expect(again).toMatchObject({ code: 1, stdout: "m1 was not promoted: it is promoted\n" });
});

test("promote --force names what still holds a memory back", async () => {
  const cli = createTestCli({
    agents: () => [createPromoteAgent()],
    vault: createMemoryVault(),
  });
  await fill(cli.store, [aMemory({ disputed: true })]);
  const held = await cli.run("promote", "--force", "m1");
  expect(held.code).toBe(1);
  expect(held.stdout).toBe("m1 was not promoted: in a contradiction that is not resolved\n");
});

test("promote --force without a vault says so", async () => {
  const cli = createTestCli({ agents: () => [createPromoteAgent()] });
  await fill(cli.store, [aMemory()]);
  const { code, stdout } = await cli.run("promote", "--force", "m1");
  expect(code).toBe(1);
  expect(stdout).toBe("m1 was not promoted: without a vault to write to\n");
});
