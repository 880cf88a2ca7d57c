import { existsSync } from "node:fs";
import { SlowwaveError } from "../../model/errors.ts";
import {
  SCHEDULER_KINDS,
  type ScheduledJob,
  type ScheduleInstaller,
  type SchedulePart,
  type SchedulerKind,
} from "../../ports/schedule-installer.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import {
  homeFolderOf,
  leftOutVariables,
  type ScheduleFlags,
  scheduledJob,
} from "../scheduled-job.ts";
import { configOf } from "../with-parts.ts";

export interface KindFlags {
  readonly cron?: true;
  readonly launchd?: true;
  readonly systemd?: true;
}

export async function printSchedule(
  context: CommandContext,
  flags: KindFlags & ScheduleFlags,
): Promise<CommandResult> {
  const { installer, job } = await prepare(context, flags);
  const parts = installer.render(job);
  return {
    document: { kind: installer.kind, parts },
    text: () => partsText(parts),
  };
}

export async function installSchedule(
  context: CommandContext,
  flags: KindFlags & ScheduleFlags,
): Promise<CommandResult> {
  const { installer, job, leftOut } = await prepare(context, flags);
  const { changed, places } = await installer.install(job);
  const log = installer.kind === "systemd" ? "journalctl --user -u slowwave" : job.logFile;
  const { kind } = installer;
  return {
    document: { kind, changed, places, log, leftOut },
    text: (paint) =>
      [
        changed ? paint.green(`installed for ${kind}`) : `installed for ${kind} already`,
        ...places.map((place) => `  ${printable(place)}`),
        timesText(job),
        `log: ${printable(log)}`,
        ...(leftOut.length === 0
          ? []
          : [
              paint.yellow(
                `not copied into the job: ${leftOut.join(", ")}; what it needs of them belongs into the configuration file`,
              ),
            ]),
        "`slowwave doctor --as-scheduler` tries it in a scheduler's bare environment",
      ].join("\n"),
  };
}

export async function uninstallSchedule(
  context: CommandContext,
  flags: KindFlags,
): Promise<CommandResult> {
  const installer = await installerOf(context, flags);
  const { changed, places } = await installer.uninstall();
  const { kind } = installer;
  return {
    document: { kind, changed, places },
    text: () =>
      changed
        ? `removed from ${kind}: ${places.map(printable).join(", ")}`
        : `nothing of slowwave's is in ${kind}`,
  };
}

async function prepare(
  context: CommandContext,
  flags: KindFlags & ScheduleFlags,
): Promise<{
  readonly installer: ScheduleInstaller;
  readonly job: ScheduledJob;
  readonly leftOut: readonly string[];
}> {
  // A configuration that is wrong shall fail here, not every night.
  const { store } = await configOf(context);
  const job = scheduledJob(context, flags, store);
  const leftOut = leftOutVariables(context.io, store);
  return { installer: await installerOf(context, flags), job, leftOut };
}

async function installerOf({ io }: CommandContext, flags: KindFlags): Promise<ScheduleInstaller> {
  const { loadScheduleInstallers } = await import("../../wire.ts");
  const createScheduleInstaller = await loadScheduleInstallers();
  return createScheduleInstaller(kindOf(flags), { env: io.env, homeFolder: homeFolderOf(io) });
}

function kindOf(flags: KindFlags): SchedulerKind {
  const [kind, other] = SCHEDULER_KINDS.filter((one) => flags[one]);
  if (other !== undefined) {
    throw new SlowwaveError("usage", `expected one scheduler, got --${kind} and --${other}`);
  }
  if (kind !== undefined) return kind;
  if (process.platform === "darwin") return "launchd";
  // The way sd_booted(3) tells.
  return existsSync("/run/systemd/system") ? "systemd" : "cron";
}

function partsText(parts: readonly SchedulePart[]): string {
  const [only] = parts;
  if (parts.length === 1 && only) return only.text;
  return parts.map(({ place, text }) => `# ${printable(place)}\n${text}`).join("\n");
}

function timesText({ hour, minute, arguments: words }: ScheduledJob): string {
  const two = (number: number) => String(number).padStart(2, "0");
  const when =
    hour === undefined
      ? `every hour at :${two(minute)}`
      : `every day at ${two(hour)}:${two(minute)}`;
  const hours = words[words.indexOf("--interval-hours") + 1];
  return `looks ${when} and at start-up; runs when ${hours} h have passed since the last completed run`;
}
