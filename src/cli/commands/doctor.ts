import { execFile } from "node:child_process";
import { type DoctorInput, diagnose } from "../../api/doctor.ts";
import { broken, type Finding } from "../../api/doctor-finding.ts";
import { repair } from "../../api/repair.ts";
import { SlowwaveError } from "../../model/errors.ts";
import { SCHEDULER_KINDS } from "../../ports/schedule-installer.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { type Paint, printable } from "../paint.ts";
import {
  commandScript,
  globalArguments,
  homeFolderOf,
  leftOutVariables,
  settingVariables,
} from "../scheduled-job.ts";
import { clockOf, configOf } from "../with-parts.ts";

export async function doctor(
  context: CommandContext,
  flags: { readonly asScheduler?: true; readonly repair?: true },
): Promise<CommandResult> {
  const repaired = flags.repair ? await repair(await doctorInput(context)) : [];
  const looked = flags.asScheduler
    ? await diagnoseAsScheduler(context)
    : await diagnose(await doctorInput(context));
  const findings = [...repaired, ...looked];
  const ok = findings.every((finding) => finding.ok);
  return {
    document: { ok, findings },
    text: (paint) =>
      [...findings.map((finding) => line(finding, paint)), verdict(findings)].join("\n"),
    exitCode: ok ? 0 : 1,
    isIdle: ok,
  };
}

async function doctorInput(context: CommandContext): Promise<DoctorInput> {
  const { loadScheduleInstallers, probeServer } = await import("../../wire.ts");
  const createScheduleInstaller = await loadScheduleInstallers();
  const place = { env: context.io.env, homeFolder: homeFolderOf(context.io) };
  return {
    loadConfig: () => configOf(context),
    openParts: context.openParts,
    probeServer,
    schedules: SCHEDULER_KINDS.map((kind) => createScheduleInstaller(kind, place)),
    ...clockOf(context),
  };
}

/** The same check, by a process that starts as a scheduler would start it. */
async function diagnoseAsScheduler(context: CommandContext): Promise<readonly Finding[]> {
  const args = [commandScript(), "doctor", "--json", ...globalArguments(context)];
  const env = { HOME: homeFolderOf(context.io), PATH: "/usr/bin:/bin" };
  const { stdout, stderr } = await execute(args, env, context.signal);
  return [...(await lostSettings(context)), ...parseFindings(stdout, stderr)];
}

function execute(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = execFile(
      process.execPath,
      args,
      { env, cwd: "/", signal },
      (_, stdout, stderr) => {
        // Exit code 1 says that something is broken, which the findings tell.
        if (signal.aborted) reject(signal.reason);
        else resolve({ stdout, stderr });
      },
    );
    child.stdin?.end();
  });
}

function parseFindings(stdout: string, stderr: string): readonly Finding[] {
  try {
    const document: unknown = JSON.parse(stdout);
    if (typeof document === "object" && document !== null && "findings" in document) {
      // It was printed by this very program.
      return document.findings as readonly Finding[];
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const detail = `it ended without a report: ${(stderr || stdout).trim().slice(0, 500)}`;
  return [
    broken("start", detail, "Install slowwave again, and check the file permissions of node."),
  ];
}

async function lostSettings(context: CommandContext): Promise<readonly Finding[]> {
  const { io } = context;
  const store = await storeOf(context);
  const names = [
    ...settingVariables(io, store).map(([name]) => name),
    ...leftOutVariables(io, store),
  ];
  if (names.length === 0) return [];
  return [
    {
      check: "environment",
      ok: true,
      detail: `a scheduler does not see ${names.join(", ")}`,
      fix: "Put them into the configuration file; `slowwave schedule install` takes those along that are no secret.",
    },
  ];
}

/** Nothing where the configuration is wrong: the other process finds that too. */
async function storeOf(context: CommandContext): Promise<string> {
  try {
    return (await configOf(context)).store;
  } catch (error) {
    if (error instanceof SlowwaveError) return "";
    throw error;
  }
}

function line({ check, ok, detail, fix }: Finding, paint: Paint): string {
  const mark = !ok
    ? paint.red("BROKEN")
    : fix === null
      ? paint.green("ok    ")
      : paint.yellow("note  ");
  const text = `${mark} ${paint.bold(check)}: ${printable(detail)}`;
  return fix === null ? text : `${text}\n       ${printable(fix)}`;
}

function verdict(findings: readonly Finding[]): string {
  const count = findings.filter((finding) => !finding.ok).length;
  if (count === 0) return "nothing is broken";
  return count === 1 ? "1 thing is broken" : `${count} things are broken`;
}
