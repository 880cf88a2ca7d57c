import type { Command } from "commander";
import type { Declaring } from "../build-program.ts";
import type { DaemonFlags } from "../commands/daemon.ts";
import type { KindFlags } from "../commands/schedule.ts";
import { decimalNumber, timeOfDay } from "../parse-options.ts";
import type { ScheduleFlags } from "../scheduled-job.ts";
import { LOG_JSON } from "./runs.ts";

export function declareScheduleCommands({ program, perform }: Declaring): void {
  program
    .command("daemon")
    .description("stay in the foreground and run the pipeline at its times, until stopped")
    .option("--cron <expression>", 'when, in five fields (default "17 4 * * *")')
    .option("--timezone <zone>", "whose clock, for example Europe/Berlin (default: the machine's)")
    .option("--log-json <file>", LOG_JSON)
    .action((flags: DaemonFlags) =>
      perform(async (context) => (await import("../commands/daemon.ts")).daemon(context, flags)),
    );

  const schedule = program
    .command("schedule")
    .description("have cron, launchd or systemd run the pipeline every night");
  withTimes(withKinds(schedule.command("print")))
    .description("print what install would write, and write nothing")
    .action((flags: KindFlags & ScheduleFlags) =>
      perform(async (context) =>
        (await import("../commands/schedule.ts")).printSchedule(context, flags),
      ),
    );
  withTimes(withKinds(schedule.command("install")))
    .description("install or replace our job; nothing else of the scheduler's is touched")
    .action((flags: KindFlags & ScheduleFlags) =>
      perform(async (context) =>
        (await import("../commands/schedule.ts")).installSchedule(context, flags),
      ),
    );
  withKinds(schedule.command("uninstall"))
    .description("remove our job")
    .action((flags: KindFlags) =>
      perform(async (context) =>
        (await import("../commands/schedule.ts")).uninstallSchedule(context, flags),
      ),
    );
}

function withKinds(command: Command): Command {
  return command
    .option("--cron", "the user's crontab")
    .option("--launchd", "launchd, on macOS")
    .option("--systemd", "a systemd user timer; without any of these, what the machine has");
}

function withTimes(command: Command): Command {
  return command
    .option("--at <HH:MM>", "time of day, the machine's (default 04:17)", timeOfDay("--at"))
    .option(
      "--interval-hours <n>",
      "hours since the last completed run (default 20); without --at the scheduler looks every hour",
      decimalNumber("--interval-hours", { min: 0 }),
    );
}
