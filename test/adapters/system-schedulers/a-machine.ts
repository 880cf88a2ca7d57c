import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { createScheduleInstaller } from "../../../src/adapters/system-schedulers/create-schedule-installer.ts";
import type { ScheduleInstaller, SchedulerKind } from "../../../src/ports/schedule-installer.ts";

export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  installer(kind: SchedulerKind): ScheduleInstaller;
  /** Puts a command on the machine's PATH, in front of the real one. */
  command(name: string, script: string): Promise<void>;
  readCrontab(): Promise<string | undefined>;
  writeCrontab(text: string): Promise<void>;
  /** The calls of fake commands, one a line. */
  calls(): Promise<readonly string[]>;
}

/** Keeps the table in a file, and answers as cron's own command does when there is none. */
const CRONTAB = `case "$1" in
  -l) [ -f "$HOME/crontab" ] || { echo "no crontab for ada" >&2; exit 1; }; cat "$HOME/crontab";;
  -) cat >"$HOME/crontab";;
esac`;

/** Remembers whether the job is loaded. */
const LAUNCHCTL = `case "$1" in
  print) [ -f "$HOME/loaded" ];;
  bootstrap) [ -f "$HOME/loaded" ] && exit 5; [ -f "$3" ] && touch "$HOME/loaded";;
  bootout) rm "$HOME/loaded";;
esac`;

/** A home folder, and fake commands of all three schedulers, run as real processes. */
export async function createMachine(): Promise<Machine> {
  const home = await mkdtemp(path.join(tmpdir(), "slowwave-schedule-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const bin = path.join(home, "bin");
  await mkdir(bin);
  const env = { HOME: home, PATH: `${bin}:/usr/bin:/bin` };
  const command = async (name: string, script: string) => {
    const file = path.join(bin, name);
    await writeFile(file, `#!/bin/sh\necho "${name} $*" >>"$HOME/calls"\n${script}\n`);
    await chmod(file, 0o755);
  };
  await command("crontab", CRONTAB);
  await command("launchctl", LAUNCHCTL);
  await command("systemctl", "exit 0");
  const read = (name: string) => readFile(path.join(home, name), "utf8").catch(() => undefined);
  return {
    home,
    env,
    installer: (kind) => createScheduleInstaller(kind, { env, homeFolder: home }),
    command,
    readCrontab: () => read("crontab"),
    writeCrontab: (text) => writeFile(path.join(home, "crontab"), text),
    calls: async () => ((await read("calls")) ?? "").split("\n").filter((line) => line !== ""),
  };
}
