import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { aJob, testScheduleInstaller } from "../../contracts/schedule-installer.ts";
import { createMachine } from "./a-machine.ts";
import { parsePlist } from "./parse-plist.ts";

testScheduleInstaller("launchd", async () => (await createMachine()).installer("launchd"));

test("the property list says what launchd is to do, whatever is in the paths", async () => {
  const machine = await createMachine();
  const [part] = machine.installer("launchd").render(aJob());
  const plist = parsePlist(part?.text ?? "");
  expect(plist).toMatchObject({
    Label: "slowwave.nightly",
    ProgramArguments: [
      "/bin/sh",
      "-c",
      expect.stringContaining("b\"in\\slowwave.js' run --scheduled"),
    ],
    StartCalendarInterval: { Hour: 4, Minute: 7 },
    RunAtLoad: true,
    ProcessType: "Background",
  });
});

const [PLUTIL, PYTHON] = [
  ["plutil", ["-lint", "-"]],
  ["python3", ["-c", "import plistlib, sys; plistlib.loads(sys.stdin.buffer.read())"]],
].map(([command, args]) => ({ command: String(command), args: [...(args ?? [])] }));

test.each([PLUTIL, PYTHON].filter((tool) => tool && spawnSync(tool.command, ["-h"]).status === 0))(
  "another parser reads the property list: $command",
  async (tool) => {
    const [part] = (await createMachine()).installer("launchd").render(aJob());
    const answer = spawnSync(tool?.command ?? "", tool?.args ?? [], { input: part?.text ?? "" });
    expect(answer.stderr.toString()).toBe("");
    expect(answer.status).toBe(0);
  },
);

test("a changed job is unloaded before it is loaded, an unchanged one is left running", async () => {
  const machine = await createMachine();
  const installer = machine.installer("launchd");
  const file = `${machine.home}/Library/LaunchAgents/slowwave.nightly.plist`;
  const [domain] = [`gui/${process.getuid?.()}`];
  await installer.install(aJob());
  await installer.install(aJob());
  await installer.install(aJob({ minute: 30 }));
  expect(await readFile(file, "utf8")).toContain("<integer>30</integer>");
  const steps = (await machine.calls()).filter((call) => !call.startsWith("launchctl print"));
  expect(steps).toEqual([
    `launchctl bootstrap ${domain} ${file}`,
    `launchctl bootout ${domain}/slowwave.nightly`,
    `launchctl bootstrap ${domain} ${file}`,
  ]);
});

test("where launchd refuses the job no file is left behind", async () => {
  const machine = await createMachine();
  await machine.command(
    "launchctl",
    'case "$1" in print) exit 113;; *) echo "5: I/O error" >&2; exit 5;; esac',
  );
  const installer = machine.installer("launchd");
  await expect(installer.install(aJob())).rejects.toMatchObject({
    code: "schedule",
    message: "launchctl bootstrap failed with exit code 5: 5: I/O error",
  });
  expect(await installer.installed()).toBeUndefined();
});
