import { spawnSync } from "node:child_process";
import { readFile, truncate } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { parsePlist } from "../adapters/system-schedulers/parse-plist.ts";
import { createHome, spawnCli } from "./spawn-cli.ts";

interface Printed {
  readonly parts: readonly { readonly place: string; readonly text: string }[];
}

/** What `schedule print` says for a store that has one memory, and the home folder. */
async function printJob(kind: string): Promise<{ readonly home: string; readonly text: string }> {
  const home = await createHome();
  await spawnCli({ home }, "init", "--vault", "my 100% notes");
  await spawnCli({ home }, "remember", "The kettle is blue.");
  const printed = await spawnCli({ home }, "schedule", "print", kind, "--json");
  const [part] = (printed.json() as unknown as Printed).parts;
  return { home, text: part?.text ?? "" };
}

/** As a scheduler does: no variable but those it sets itself, no terminal, the root folder. */
function runBare(words: readonly string[], variables: readonly string[] = []): number | null {
  const { status } = spawnSync("/usr/bin/env", ["-i", ...variables, ...words], {
    cwd: "/",
    env: {},
    stdio: "ignore",
  });
  return status;
}

async function expectOneRun(home: string): Promise<void> {
  const { json } = await spawnCli({ home }, "runs", "--json");
  expect(json()).toMatchObject({ runs: [{ status: "completed", scope: "pipeline" }] });
  expect(json().runs).toHaveLength(1);
}

test("the crontab line runs in an empty environment, logs, and runs once however often it is started", async () => {
  const { home, text } = await printJob("--cron");
  const line = text.split("\n").find((one) => one.startsWith("@reboot ")) ?? "";
  // cron turns \% into % and hands the rest to /bin/sh.
  const command = line.slice("@reboot ".length).replaceAll("\\%", "%");
  expect(runBare(["/bin/sh", "-c", command])).toBe(0);
  expect(runBare(["/bin/sh", "-c", command])).toBe(0);
  await expectOneRun(home);
  const broken = command.replace("--quiet", "--quiet --nonsense");
  expect(runBare(["/bin/sh", "-c", broken])).toBe(2);
  expect(await readFile(path.join(home, "logs", "nightly.log"), "utf8")).toContain("--nonsense");
});

test("a log that has grown is put aside before the next run", async () => {
  const { home, text } = await printJob("--cron");
  const command = text
    .split("\n")
    .find((one) => one.startsWith("@reboot "))
    ?.slice("@reboot ".length);
  const log = path.join(home, "logs", "nightly.log");
  expect(runBare(["/bin/sh", "-c", command ?? ""])).toBe(0);
  await truncate(log, 1_048_577);
  expect(runBare(["/bin/sh", "-c", command ?? ""])).toBe(0);
  expect((await readFile(`${log}.1`)).length).toBe(1_048_577);
  expect((await readFile(log)).length).toBe(0);
});

test("the launchd job runs in an empty environment", async () => {
  const { home, text } = await printJob("--launchd");
  const { ProgramArguments } = parsePlist(text) as { readonly ProgramArguments: readonly string[] };
  expect(runBare(ProgramArguments)).toBe(0);
  await expectOneRun(home);
});

test("the systemd service runs in an empty environment", async () => {
  const { home, text } = await printJob("--systemd");
  const words = (line: string) =>
    [...line.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = ""]) =>
      word.replaceAll("%%", "%").replace(/\\(.)/g, "$1"),
    );
  const variables = [...text.matchAll(/^Environment=(.*)$/gm)].flatMap(([line]) => words(line));
  const command = words(/^ExecStart=.*$/m.exec(text)?.[0] ?? "");
  expect(runBare(command, variables)).toBe(0);
  await expectOneRun(home);
});
