import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aMemory } from "../../builders.ts";
import { fill, tagAgent } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

async function createPlanningCli() {
  const cwd = await mkdtemp(path.join(tmpdir(), "slowwave-plan-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const cli = createTestCli({ agents: () => [tagAgent({ name: "decay", tag: "seen" })] });
  await fill(cli.store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  const run = (...argv: readonly string[]) => cli.runWith({ cwd }, ...argv);
  return { cli, cwd, run };
}

test("plan opens for reading and writes no byte of the store, and apply does what it shows", async () => {
  const { cli, cwd, run } = await createPlanningCli();
  const { version } = await cli.store.snapshot();
  const planned = await run("plan", "--out", "plan.json");
  expect(planned.code).toBe(0);
  expect(planned.stdout).toContain("would do 2");
  expect(planned.stdout).toContain(`slowwave apply ${path.join(cwd, "plan.json")}`);
  expect(cli.opened[0]).toMatchObject({ mode: "read", create: false });
  expect((await cli.store.snapshot()).version).toEqual(version);
  const file = JSON.parse(await readFile(path.join(cwd, "plan.json"), "utf8"));
  expect(file.summary.join("\n")).toContain("would do 2");

  const applied = await run("apply", "plan.json", "--json");
  expect(applied.code).toBe(0);
  expect(applied.json()).toMatchObject({
    ...{ version: 1, planId: file.planId, applied: 2, refused: [] },
    agents: { decay: { applied: 2 } },
  });
  expect((await cli.store.read("memory")).map(({ tags }) => tags)).toEqual([["seen"], ["seen"]]);
});

test("plan --json names plan, hash and agents, and needs no file", async () => {
  const { run } = await createPlanningCli();
  const { code, json } = await run("plan", "--json");
  expect(code).toBe(0);
  expect(json()).toMatchObject({
    planId: expect.stringMatching(/^plan-20260302T090000Z-/),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    path: null,
    agents: { decay: { planned: 2, applied: 0 } },
  });
});

test("apply lists what it refuses and exits with 1; an edited or missing plan exits with 2", async () => {
  const { cwd, run } = await createPlanningCli();
  await run("plan", "--out", "plan.json");
  await run("edit", "a", "--content", "Another text");
  const partly = await run("apply", "plan.json", "--only", "decay", "--json");
  expect(partly.code).toBe(1);
  expect(partly.json()).toMatchObject({
    applied: 1,
    refused: [{ id: "decay:a:seen", reason: "a has changed since the plan was made" }],
  });
  const target = path.join(cwd, "plan.json");
  await writeFile(target, (await readFile(target, "utf8")).replace("lacks seen", "lacks it"));
  expect(await run("apply", "plan.json")).toMatchObject({ code: 2 });
  expect(await run("apply", "none.json")).toMatchObject({ code: 2 });
});
