import { spawnSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { aJob, testScheduleInstaller } from "../../contracts/schedule-installer.ts";
import { createMachine } from "./a-machine.ts";

testScheduleInstaller("systemd", async () => (await createMachine()).installer("systemd"));

test("the units quote what systemd would read as its own", async () => {
  const [service, timer] = (await createMachine()).installer("systemd").render(aJob());
  expect(service?.text).toContain(
    String.raw`ExecStart=:"/opt/it's node/100%%/node" "/opt/slow & <wave>/b\"in\\slowwave.js" "run" "--scheduled" "--namespace" "a b$HOME"`,
  );
  expect(service?.text).toContain(String.raw`Environment="NOTE=50%% $5 'q' \"d\""`);
  expect(timer?.text).toContain("OnCalendar=*-*-* 04:07:00\n");
  expect(timer?.text).toContain("Persistent=true\n");
});

test("the timer is enabled, and started anew when its times change", async () => {
  const machine = await createMachine();
  const installer = machine.installer("systemd");
  await installer.install(aJob());
  await installer.install(aJob());
  await installer.uninstall();
  expect(await machine.calls()).toEqual([
    "systemctl --user daemon-reload",
    "systemctl --user enable --now slowwave.timer",
    "systemctl --user restart slowwave.timer",
    "systemctl --user enable --now slowwave.timer",
    "systemctl --user disable --now slowwave.timer",
    "systemctl --user daemon-reload",
  ]);
});

test("where the user manager is not running the earlier units stay as they were", async () => {
  const machine = await createMachine();
  const installer = machine.installer("systemd");
  await installer.install(aJob({ node: "/usr/bin/node" }));
  await machine.command("systemctl", 'echo "Failed to connect to bus" >&2; exit 1');
  await expect(installer.install(aJob())).rejects.toMatchObject({
    code: "schedule",
    message: "systemctl --user daemon-reload failed with exit code 1: Failed to connect to bus",
    hint: expect.stringContaining("loginctl enable-linger"),
  });
  expect((await installer.installed())?.programs[0]).toBe("/usr/bin/node");
});

const ANALYZE = "systemd-analyze";
const hasSystemd = spawnSync(ANALYZE, ["--version"]).status === 0;

test.skipIf(!hasSystemd)("systemd itself finds nothing wrong with the units", async () => {
  const machine = await createMachine();
  const script = path.join(machine.home, "a b%c", "slowwave.js");
  await mkdir(path.dirname(script));
  await writeFile(script, "");
  const job = aJob({ node: process.execPath, script });
  const { places } = await machine.installer("systemd").install(job);
  const answer = spawnSync(ANALYZE, ["verify", "--user", "--recursive-errors=no", ...places], {
    env: { ...machine.env, XDG_RUNTIME_DIR: machine.home },
    encoding: "utf8",
  });
  expect(answer.stderr).not.toMatch(/slowwave/);
  expect(answer.status).toBe(0);
  const { stdout } = spawnSync(ANALYZE, ["calendar", "*-*-* 04:07:00", "*-*-* *:17:00"], {
    encoding: "utf8",
  });
  expect(stdout.match(/Normalized form/g)).toHaveLength(2);
});
