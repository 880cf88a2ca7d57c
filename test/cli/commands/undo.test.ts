import { expect, test } from "vitest";
import { aMemory } from "../../builders.ts";
import { fill, tagAgent } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

async function createUndoableCli() {
  const cli = createTestCli({ agents: () => [tagAgent({ name: "decay", tag: "seen" })] });
  await fill(cli.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  await cli.run("run");
  const [run] = await cli.store.read("run");
  return { cli, id: run?.id ?? "" };
}

test("undo --dry-run opens for reading and writes nothing, then undo does what it showed", async () => {
  const { cli, id } = await createUndoableCli();
  const { version } = await cli.store.snapshot();
  const dry = await cli.run("undo", id, "--dry-run");
  expect(dry.stdout).toContain("would take back 2, nothing was written");
  expect(cli.opened.at(-1)).toMatchObject({ mode: "read" });
  expect((await cli.store.snapshot()).version).toEqual(version);
  const live = await cli.run("undo", id);
  expect(live.code).toBe(0);
  expect(live.stdout).toContain("took back 2");
  expect(await cli.store.read("memory")).toEqual([aMemory({ id: "a" }), aMemory({ id: "b" })]);
});

test("undo lists what stays, in text and as JSON, and exits with 1", async () => {
  const { cli, id } = await createUndoableCli();
  await cli.run("edit", "a", "--content", "Another text");
  const { code, json } = await cli.run("undo", id, "--json");
  expect(code).toBe(1);
  expect(json()).toMatchObject({
    version: 1,
    undoes: id,
    applied: 1,
    refused: [{ id: "a", reason: "was changed since the run" }],
  });
  expect((await cli.run("undo", id)).stdout).toContain("stays a: was changed since the run");
});

test("undo of an unknown run exits with 1 and says where runs are listed", async () => {
  const { cli } = await createUndoableCli();
  const { code, stderr } = await cli.run("undo", "run-none");
  expect(code).toBe(1);
  expect(stderr).toContain("`slowwave runs` lists them.");
});
