import { expect, test } from "vitest";
import { createMachine } from "../../adapters/system-schedulers/a-machine.ts";
import { createTestCli } from "../run-cli.ts";

test("schedule print shows the crontab lines with absolute paths and writes nothing", async () => {
  const { env, calls } = await createMachine();
  const cli = createTestCli();
  const options = { env, cwd: "/srv" };
  const { code, stdout } = await cli.runWith(
    options,
    ...["schedule", "print", "--cron", "--store", "st", "--vault", "~/notes"],
  );
  expect(code).toBe(0);
  expect(stdout).toContain("\n17 4 * * * export HOME=");
  expect(stdout).toContain(
    `exec ${process.execPath} ${process.cwd()}/bin/slowwave.js run --scheduled --interval-hours 20 --quiet --store /srv/st --vault ${env.HOME}/notes >>`,
  );
  expect(stdout).toContain("\n@reboot export ");
  expect(await calls()).toEqual([]);
});

test("schedule install takes the settings of the environment along, made absolute, but no secret", async () => {
  const machine = await createMachine();
  const env = {
    ...machine.env,
    SLOWWAVE_HOME: "sw",
    SLOWWAVE_DECAY_HALF_LIFE_DAYS: "9",
    LLM_API_KEY: "sk-1",
    EDITOR: "vi",
  };
  const cli = createTestCli();
  const install = ["schedule", "install", "--cron", "--at", "6:05"];
  const first = await cli.runWith({ env, cwd: "/srv" }, ...install);
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("every day at 06:05") });
  expect(first.stdout).toContain("not copied into the job: LLM_API_KEY;");
  const table = await machine.readCrontab();
  expect(table).toContain("\n5 6 * * * ");
  expect(table).toContain(" SLOWWAVE_DECAY_HALF_LIFE_DAYS=9 SLOWWAVE_HOME=/srv/sw;");
  expect(table).not.toMatch(/sk-1|EDITOR/);
  const again = await cli.runWith({ env, cwd: "/srv" }, ...install, "--json");
  expect(again.json()).toMatchObject({ kind: "cron", changed: false });
  const gone = await cli.runWith({ env }, "schedule", "uninstall", "--cron", "--json");
  expect(gone.json()).toMatchObject({ changed: true });
  expect(await machine.readCrontab()).toBe("");
});

test("the job finds git where this shell finds it", async () => {
  const machine = await createMachine();
  await machine.command("git", "exit 0");
  const { env } = machine;
  const { stdout } = await createTestCli().runWith({ env }, "schedule", "print", "--cron");
  expect(stdout).toContain(`:${env.HOME}/bin:/usr/local/bin:`);
});

test("schedule with an interval alone looks every hour", async () => {
  const { env } = await createMachine();
  const flags = ["--systemd", "--interval-hours", "6"];
  const { stdout } = await createTestCli().runWith({ env }, "schedule", "print", ...flags);
  expect(stdout).toContain("OnCalendar=*-*-* *:17:00\n");
  expect(stdout).toContain('"--interval-hours" "6"');
});

test.each([
  [["--at", "24:00"], "--at: expected a time from 00:00 to 23:59"],
  [["--at", "04:17", "--interval-hours", "24"], "expected at most 22 for a daily run, got 24"],
  [["--launchd", "--cron"], "expected one scheduler, got --cron and --launchd"],
])("schedule print %j is refused", async (flags, message) => {
  const { env } = await createMachine();
  const result = await createTestCli().runWith({ env }, "schedule", "print", ...flags);
  expect(result).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining(message) });
});

test("schedule install fails on a wrong configuration before it installs a job that would fail every night", async () => {
  const { env, calls } = await createMachine();
  const wrong = { ...env, SLOWWAVE_INTERVAL_HOURS: "often" };
  const result = await createTestCli().runWith({ env: wrong }, "schedule", "install", "--cron");
  expect(result.code).toBe(2);
  expect(await calls()).toEqual([]);
});
