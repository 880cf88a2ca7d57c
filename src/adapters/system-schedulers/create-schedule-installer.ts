import path from "node:path";
import type { ScheduleInstaller, SchedulerKind } from "../../ports/schedule-installer.ts";
import { createCrontab } from "./crontab.ts";
import { createLaunchd } from "./launchd.ts";
import { createRunCommand, type Environment } from "./run-command.ts";
import { createSystemd } from "./systemd.ts";

/** Whose scheduler it is, and where its commands are found. */
export interface SchedulerPlace {
  readonly env: Environment;
  readonly homeFolder: string;
}

export function createScheduleInstaller(
  kind: SchedulerKind,
  { env, homeFolder }: SchedulerPlace,
): ScheduleInstaller {
  const run = createRunCommand(env);
  switch (kind) {
    case "cron":
      return createCrontab(run);
    case "launchd":
      return createLaunchd(run, { homeFolder, userId: process.getuid?.() ?? 0 });
    case "systemd":
      return createSystemd(run, {
        configFolder: env.XDG_CONFIG_HOME || path.join(homeFolder, ".config"),
      });
  }
}
