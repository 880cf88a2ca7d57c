import { dirname } from "node:path";
import type { Config } from "../config/config.ts";
import { isUri } from "../config/paths.ts";
import type { ScheduleInstaller } from "../ports/schedule-installer.ts";
import type { VersionControl } from "../ports/version-control.ts";
import { advise, broken, brokenBy, type Finding, fine } from "./doctor-finding.ts";
import {
  freeBytes,
  gitIdentity,
  isExecutable,
  isReadable,
  type ProbeResult,
} from "./doctor-probes.ts";

const OLDEST_NODE = [20, 19] as const;

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [oldMajor, oldMinor] = OLDEST_NODE;
  const isEnough = major > oldMajor || (major === oldMajor && minor >= oldMinor);
  const detail = `Node ${version}, ${process.execPath}`;
  return isEnough
    ? fine("node", detail)
    : broken("node", detail, `Install Node ${OLDEST_NODE.join(".")} or newer.`);
}

const MEGABYTE = 1_000_000;

export async function checkDisk({ store }: Config): Promise<Finding> {
  if (isUri(store)) return fine("disk", "the store is not on this machine");
  const free = await freeIn(store);
  const detail = `${Math.floor(free / MEGABYTE)} MB free at ${store}`;
  const fix = "Free some space: every run writes new versions before old ones are cleaned up.";
  if (free < 100 * MEGABYTE) return broken("disk", detail, fix);
  return free < 1000 * MEGABYTE ? advise("disk", detail, fix) : fine("disk", detail);
}

/** Where the folder is not there yet, the nearest one above it tells. */
async function freeIn(folder: string): Promise<number> {
  try {
    return await freeBytes(folder);
  } catch (error) {
    if (dirname(folder) === folder) throw error;
    return await freeIn(dirname(folder));
  }
}

/** Folders that macOS guards (TCC): a scheduler's job gets "Operation not permitted" there, or waits for an answer nobody gives. */
const GUARDED = /\/(?:Documents|Desktop|Downloads|Library\/Mobile Documents)\//;

export function checkVault(vault: string, probe: ProbeResult, platform: NodeJS.Platform): Finding {
  const access =
    platform === "darwin"
      ? `give ${process.execPath} Full Disk Access in System Settings, Privacy & Security, or move the vault out of Documents, Desktop and iCloud`
      : "check its permissions, and the drive that it is on";
  switch (probe.kind) {
    case "fine":
      return platform === "darwin" && GUARDED.test(`${vault}/`)
        ? advise("vault", `${vault} can be written here`, `For scheduled runs, ${access}.`)
        : fine("vault", `${vault} can be read and written`);
    case "silent":
      return broken(
        "vault",
        `${vault} did not answer within ${probe.afterMs / 1000} s`,
        `Something keeps it waiting: ${access}.`,
      );
    case "failed":
      return probe.code === "ENOENT"
        ? broken(
            "vault",
            `there is no folder ${vault}`,
            "Make it, mount its drive, or correct `vault`.",
          )
        : broken("vault", `${vault}: ${probe.message}`, `It has to be writable: ${access}.`);
  }
}

export async function checkGit(
  { vault, git }: Config,
  versionControl: VersionControl | undefined,
): Promise<readonly Finding[]> {
  if (vault === undefined) return [];
  if (versionControl === undefined) return [fine("git", "switched off")];
  try {
    const state = await versionControl.state();
    switch (state.kind) {
      case "none":
        return [
          advise(
            "git",
            `${vault} is in no repository`,
            `\`git init ${vault}\` gives notes a history.`,
          ),
        ];
      case "occupied":
        return [broken("git", state.reason, "Finish or abort it; the next run commits the notes.")];
      case "ready":
        return [fine("git", "ready to commit notes"), await identityFinding(vault, git)];
    }
  } catch (error) {
    return [brokenBy("git", error)];
  }
}

async function identityFinding(vault: string, git: Config["git"]): Promise<Finding> {
  const own = git.name && git.email ? `${git.name} <${git.email}>` : undefined;
  const identity = own ?? (await gitIdentity(vault));
  if (identity !== undefined) return fine("git identity", `commits as ${identity}`);
  return advise(
    "git identity",
    "git knows no name here, so commits are by slowwave <slowwave@localhost>",
    "Set `git.name` and `git.email` in the configuration, or git's own user.name and user.email.",
  );
}

export async function checkSchedules(
  installers: readonly ScheduleInstaller[],
): Promise<readonly Finding[]> {
  const findings = (await Promise.all(installers.map(checkSchedule))).flat();
  if (findings.length > 0) return findings;
  const fix = "`slowwave schedule install` runs it every night.";
  return [advise("schedule", "no scheduler starts slowwave", fix)];
}

/** A job keeps the paths of its day: an upgrade of node by a version manager takes its node away. */
async function checkSchedule(installer: ScheduleInstaller): Promise<readonly Finding[]> {
  const check = `schedule (${installer.kind})`;
  try {
    const installed = await installer.installed();
    if (installed === undefined) return [];
    const [node = "", script = ""] = installed.programs;
    const missing = [
      (await isExecutable(node)) ? [] : [node],
      (await isReadable(script)) ? [] : [script],
    ].flat();
    if (missing.length === 0) return [fine(check, `starts ${script} with ${node}`)];
    const again = `\`slowwave schedule install --${installer.kind}\` with today's node.`;
    return [broken(check, `it starts ${missing.join(" and ")}, not there any more`, again)];
  } catch (error) {
    return [brokenBy(check, error)];
  }
}
