import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aMemory, aRun, BUILT_AT } from "../../builders.ts";
import { fill, tagAgent } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

const SECRET_TEXT = "The cellar door opens with a blue key.";

async function createLoggingCli() {
  const cwd = await mkdtemp(path.join(tmpdir(), "slowwave-log-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  const cli = createTestCli({ agents: () => [tagAgent({ name: "decay", tag: "seen" })] });
  await fill(cli.store, [aMemory({ content: SECRET_TEXT, tags: ["cellar"], entities: ["Blue"] })]);
  const events = async (file = "run.log") => {
    const text = await readFile(path.join(cwd, file), "utf8");
    expect(text).not.toMatch(/cellar|blue/i);
    return text
      .trimEnd()
      .split("\n")
      .map((line): Record<string, unknown> => JSON.parse(line));
  };
  return { cli, cwd, events, run: cli.runWith.bind(cli, { cwd }) };
}

test("--log-json writes a line for each step with ids, and never a word of a memory", async () => {
  const { events, run } = await createLoggingCli();
  expect((await run("run", "--log-json", "run.log")).code).toBe(0);
  const lines = await events();
  expect(lines.map(({ event }) => event)).toEqual(["start", "step", "agent", "end"]);
  expect(lines[1]).toMatchObject({
    ...{ level: "info", agent: "decay", action: "tag", fate: "applied", memories: ["m1"] },
    run: expect.stringMatching(/^run-/),
  });
  expect(lines[2]).toMatchObject({ agent: "decay", scanned: 1, applied: 1 });
  expect(lines[3]).toMatchObject({ status: "completed", measures: { after: { memories: 1 } } });
  for (const { at } of lines) expect(at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
});

test("the file may stand in the environment; what is not due, fails or is out of order is a line too", async () => {
  const { cli, cwd, events } = await createLoggingCli();
  const env = { SLOWWAVE_LOG_FILE: path.join(cwd, "logs", "run.log") };
  const run = (...argv: readonly string[]) => cli.runWith({ cwd, env }, ...argv);
  const ahead = BUILT_AT + 40 * 86_400_000;
  const odd = aRun({ asOf: ahead, startedAt: ahead });
  await cli.store.commit([{ record: "run", before: null, after: odd }]);
  await run("run");
  await run("run", "--scheduled", "--interval-hours", "2");
  const lease = { holder: "host|boot|7|1", token: "t", now: BUILT_AT, until: BUILT_AT + 60_000 };
  await cli.store.acquireLease(lease);
  expect((await run("run")).code).toBe(3);
  const lines = await events("logs/run.log");
  expect(lines).toContainEqual(expect.objectContaining({ event: "alarm", kind: "clock" }));
  expect(lines.map(({ event }) => event)).toContain("skip");
  expect(lines.at(-1)).toMatchObject({ level: "error", event: "error", code: "busy" });
});

test("a log that has grown is put aside, and one that cannot be written stops the run before it begins", async () => {
  const { cli, cwd, run } = await createLoggingCli();
  await writeFile(path.join(cwd, "run.log"), "x".repeat(1_048_577));
  await run("run", "--log-json", "run.log");
  expect((await readdir(cwd)).sort()).toEqual(["run.log", "run.log.1"]);
  expect((await stat(path.join(cwd, "run.log"))).mode & 0o077).toBe(0);
  const runs = await cli.store.read("run");
  expect(await run("run", "--log-json", "run.log/inside")).toMatchObject({ code: 2 });
  expect(await cli.store.read("run")).toEqual(runs);
});

test("a log that has grown and cannot be put aside is named, and stops the run before it begins", async () => {
  const { cli, cwd, run } = await createLoggingCli();
  await writeFile(path.join(cwd, "run.log"), "x".repeat(1_048_577));
  await mkdir(path.join(cwd, "run.log.1"));
  const refused = await run("run", "--log-json", "run.log");
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be written") });
  expect(await cli.store.read("run")).toEqual([]);
});
