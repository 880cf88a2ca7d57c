import fc from "fast-check";
import { expect, test } from "vitest";
import { splitCrontab } from "../../../src/adapters/system-schedulers/crontab-block.ts";
import { aJob, testScheduleInstaller } from "../../contracts/schedule-installer.ts";
import { createMachine } from "./a-machine.ts";

testScheduleInstaller("crontab", async () => (await createMachine()).installer("cron"));

test("installing and removing leaves every other byte of a crontab as it was", async () => {
  const machine = await createMachine();
  const others =
    "MAILTO=ada\n# backups\n0 1 * * * backup --to '/mnt/x y' # 100\\%\n\n@daily true\n";
  await machine.writeCrontab(others);
  await machine.installer("cron").install(aJob());
  const table = await machine.readCrontab();
  expect(table?.startsWith(others)).toBe(true);
  await machine.writeCrontab(`${table}5 5 * * * added below\n`);
  await machine.installer("cron").install(aJob({ minute: 30 }));
  expect(await machine.readCrontab()).toContain("\n30 4 * * * export ");
  await machine.installer("cron").uninstall();
  expect(await machine.readCrontab()).toBe(`${others}5 5 * * * added below\n`);
});

test("a crontab without a last line end gets one before our block", async () => {
  const machine = await createMachine();
  await machine.writeCrontab("@daily true");
  await machine.installer("cron").install(aJob());
  expect(await machine.readCrontab()).toMatch(/^@daily true\n# >>> slowwave >>>\n/);
});

test("a crontab that cannot be read is not taken for an empty one", async () => {
  const machine = await createMachine();
  await machine.command("crontab", 'echo "must be privileged" >&2; exit 1');
  await expect(machine.installer("cron").install(aJob())).rejects.toMatchObject({
    code: "schedule",
    message: expect.stringContaining("must be privileged"),
  });
  expect(await machine.calls()).toEqual(["crontab -l"]);
});

test("a machine without cron is told so", async () => {
  const machine = await createMachine();
  const installer = (
    await import("../../../src/adapters/system-schedulers/create-schedule-installer.ts")
  ).createScheduleInstaller("cron", { env: { PATH: "/nonexistent" }, homeFolder: machine.home });
  await expect(installer.install(aJob())).rejects.toThrow("there is no such command here");
});

test("a crontab that does not keep what it was given is reported", async () => {
  const machine = await createMachine();
  await machine.command(
    "crontab",
    'case "$1" in -l) echo "@daily true";; -) cat >/dev/null;; esac',
  );
  await expect(machine.installer("cron").install(aJob())).rejects.toThrow("shows another one");
});

test.each([
  "# >>> slowwave >>>\n1 1 * * * half\n",
  "# <<< slowwave <<<\n# >>> slowwave >>>\n",
  "# >>> slowwave >>>\n# <<< slowwave <<<\n# >>> slowwave >>>\n# <<< slowwave <<<\n",
])("a crontab whose markers are no pair is left alone: %j", async (text) => {
  const machine = await createMachine();
  await machine.writeCrontab(text);
  await expect(machine.installer("cron").install(aJob())).rejects.toThrow("not one pair");
  expect(await machine.readCrontab()).toBe(text);
});

test("splitting a crontab loses nothing", () => {
  const lines = fc.array(
    fc.oneof(fc.string(), fc.constantFrom("# >>> slowwave >>>", "# <<< slowwave <<<")),
  );
  fc.assert(
    fc.property(lines, (parts) => {
      const text = parts.join("\n");
      try {
        const { before, block, after } = splitCrontab(text);
        expect(before + block + after).toBe(text);
      } catch (error) {
        expect(error).toMatchObject({ code: "schedule" });
      }
    }),
  );
});

test("a job looked at every hour has a star for the hour, and a line break in a path is refused", async () => {
  const { hour: _daily, ...hourly } = aJob();
  const machine = await createMachine();
  const [part] = machine.installer("cron").render(hourly);
  expect(part?.text).toContain("\n7 * * * * ");
  expect(() => machine.installer("cron").render(aJob({ script: "/a\nb" }))).toThrow("line break");
});
