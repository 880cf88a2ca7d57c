import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aMemory } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

test("backup writes a file beside nothing else, and restore-backup fills a new store from it", async () => {
  const cwd = await mkdtemp(path.join(tmpdir(), "slowwave-backup-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const cli = createTestCli();
  await fill(cli.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  const made = await cli.runWith({ cwd }, "backup", "b.jsonl", "--json");
  expect(made.code).toBe(0);
  expect(made.json()).toMatchObject({
    ...{ version: 1, path: path.join(cwd, "b.jsonl"), uses: 0 },
    records: { memory: 2 },
  });
  expect(cli.opened[0]).toMatchObject({ mode: "read" });

  const fresh = createTestCli();
  const restored = await fresh.runWith({ cwd }, "restore-backup", "b.jsonl");
  expect(restored.stdout).toContain("restored 2 memories");
  expect(fresh.opened[0]).toMatchObject({ mode: "write", create: true });
  expect(await fresh.store.read("memory")).toEqual(await cli.store.read("memory"));

  await fresh.run("remember", "Something new");
  const refused = await fresh.runWith({ cwd }, "restore-backup", "b.jsonl");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("the store is not empty");
});
