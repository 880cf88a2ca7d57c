import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { resolveLocation } from "../config/paths.ts";
import { SlowwaveError } from "../model/errors.ts";
import { packagePath } from "../model/package-path.ts";
import type { ScheduledJob } from "../ports/schedule-installer.ts";
import type { CommandContext } from "./command-context.ts";
import type { Io } from "./io.ts";

/** When the scheduler is to look. */
export interface ScheduleFlags {
  readonly at?: TimeOfDay;
  readonly intervalHours?: number;
}

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

/** Outside 00:00–03:59, where clocks are put forward and back. */
const DEFAULT_TIME: TimeOfDay = { hour: 4, minute: 17 };
/** The same as a cron expression. */
export const NIGHTLY_CRON = `${DEFAULT_TIME.minute} ${DEFAULT_TIME.hour} * * *`;
/** A night may be an hour early or late, and an afternoon's run by hand must not cost the next night. */
const NIGHTLY_HOURS = 20;

/** What a scheduler has to start so that it does what this command line, in this environment, would do. */
export function scheduledJob(
  context: CommandContext,
  flags: ScheduleFlags,
  store: string,
): ScheduledJob {
  const { io } = context;
  const isHourly = flags.at === undefined && flags.intervalHours !== undefined;
  const { hour, minute } = flags.at ?? DEFAULT_TIME;
  const intervalHours = flags.intervalHours ?? NIGHTLY_HOURS;
  if (!isHourly) checkDailyInterval(intervalHours);
  const schedule = ["--scheduled", "--interval-hours", String(intervalHours), "--quiet"];
  return {
    node: process.execPath,
    script: commandScript(),
    arguments: ["run", ...schedule, ...globalArguments(context)],
    environment: jobEnvironment(io, store),
    logFile: path.join(stateFolder(io), "nightly.log"),
    minute,
    ...(isHourly ? {} : { hour }),
  };
}

/** The script that this process was started with, by its place in the package. */
export function commandScript(): string {
  return packagePath("bin/slowwave.js");
}

export function homeFolderOf({ env }: Pick<Io, "env">): string {
  return env.HOME || homedir();
}

function checkDailyInterval(hours: number): void {
  if (hours <= 22 || hours > 24) return;
  throw new SlowwaveError(
    "usage",
    `--interval-hours: expected at most 22 for a daily run, got ${hours}`,
    {
      hint: "When clocks are put forward two nights are 23 hours apart, and one would be skipped: 20 is a good value.",
    },
  );
}

/** The global flags that say what to work on, with nothing relative left in them. */
export function globalArguments({ io, globals }: CommandContext): readonly string[] {
  const at = (location: string) =>
    resolveLocation(location, { base: io.cwd, homeFolder: homeFolderOf(io) });
  const { config, store, vault, namespace } = globals;
  return [
    ...(config === undefined ? [] : ["--config", path.resolve(io.cwd, config)]),
    ...(store === undefined ? [] : ["--store", at(store)]),
    ...(vault === undefined ? [] : ["--vault", at(vault)]),
    ...(namespace === undefined ? [] : ["--namespace", namespace]),
  ];
}

/** Variables that say how slowwave works; those of the cloud only where the store is kept there. */
export function settingVariables(
  { env }: Pick<Io, "env">,
  store: string,
): readonly (readonly [string, string])[] {
  return Object.entries(env)
    .filter((entry): entry is [string, string] => Boolean(entry[1]) && counts(entry[0], store))
    .filter(([name]) => !SECRET.test(name))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Variables that count here and that a job does not get: a crontab or unit file is no place for a secret, and a language model without its
 * key would fail every night, where none at all is no failure.
 */
export function leftOutVariables({ env }: Pick<Io, "env">, store: string): readonly string[] {
  return Object.keys(env)
    .filter((name) => env[name] && (MODEL.test(name) || (counts(name, store) && SECRET.test(name))))
    .sort();
}

function counts(name: string, store: string): boolean {
  return COPIED.test(name) || (/^s3/i.test(store) && /^AWS_/.test(name));
}

const COPIED =
  /^(?:SLOWWAVE_|CORTEXGRAPH_(?:CONSOLIDATION|FORGET|PROMOTE)_|XDG_(?:CONFIG|DATA)_HOME$)/;
const SECRET = /KEY|TOKEN|SECRET|PASSWORD|CREDENTIAL/;
const MODEL = /^(?:LLM_|OPENAI_(?:URL|TOKEN)$)/;
const PLACES = ["SLOWWAVE_HOME", "SLOWWAVE_CONFIG", "SLOWWAVE_STORE", "SLOWWAVE_VAULT"];

function jobEnvironment(io: Io, store: string): Readonly<Record<string, string>> {
  const homeFolder = homeFolderOf(io);
  const settings = settingVariables(io, store).map(([name, value]) =>
    PLACES.includes(name)
      ? [name, resolveLocation(value, { base: io.cwd, homeFolder })]
      : [name, value],
  );
  return {
    HOME: homeFolder,
    PATH: jobPath(io),
    LANG: io.env.LANG || "C.UTF-8",
    ...Object.fromEntries(settings),
  };
}

/** Node's own folder, those in which this shell finds the commands a run may call, and the usual ones. */
function jobPath({ env }: Io): string {
  const callers = (env.PATH ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder));
  const called = ["git", "bd"].flatMap(
    (command) => callers.find((folder) => existsSync(path.join(folder, command))) ?? [],
  );
  const folders = [path.dirname(process.execPath), ...called, "/usr/local/bin", "/usr/bin", "/bin"];
  return [...new Set(folders)].join(path.delimiter);
}

/** Where logs go. */
export function stateFolder({ env }: Io): string {
  if (env.SLOWWAVE_HOME) return path.resolve(env.SLOWWAVE_HOME, "logs");
  const home = homeFolderOf({ env });
  if (process.platform === "darwin") return path.join(home, "Library/Logs/slowwave");
  return path.join(env.XDG_STATE_HOME || path.join(home, ".local/state"), "slowwave");
}
