import { mkdir, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { type Attempt, type DaemonStatus, runDaemon } from "../../api/run-daemon.ts";
import { runDepsOf } from "../../api/run-deps-of.ts";
import type { Config } from "../../config/config.ts";
import { isUri } from "../../config/paths.ts";
import { SlowwaveError } from "../../model/errors.ts";
import { type Instant, toIso } from "../../model/instant.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { System } from "../../ports/system.ts";
import type { Timetable } from "../../ports/timetable.ts";
import type { RunOptions } from "../../scheduler/run-options.ts";
import { runPipeline } from "../../scheduler/run-pipeline.ts";
import { lastCompletedRun } from "../../scheduler/run-scheduled.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { keepHeapSmall } from "../keep-heap-small.ts";
import { printable } from "../paint.ts";
import { withRunLog } from "../run-log.ts";
import { NIGHTLY_CRON, stateFolder } from "../scheduled-job.ts";
import { configOf, withParts } from "../with-parts.ts";

export interface DaemonFlags {
  readonly cron?: string;
  readonly timezone?: string;
  readonly logJson?: string;
}

export async function daemon(context: CommandContext, flags: DaemonFlags): Promise<CommandResult> {
  keepHeapSmall();
  const { createNodeSystem, loadTimetable } = await import("../../wire.ts");
  if (context.globals.asOf !== undefined) {
    throw new SlowwaveError("usage", "daemon: --as-of would stop the clock that it goes by");
  }
  const cron = flags.cron ?? NIGHTLY_CRON;
  const timezone = flags.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timetable = await loadTimetable(cron, timezone);
  const system = createNodeSystem();
  checkComes(timetable, system.wallNow(), cron);
  const file = statusFileOf(await configOf(context), context);
  const fixed = {
    version: 1,
    pid: context.io.pid,
    cron,
    timezone,
    startedAt: toIso(system.wallNow()),
  };
  const counts = { completed: 0, failed: 0 };
  await runDaemon(
    {
      timetable,
      system,
      attempt: (isDue, signal) =>
        attempt({ ...context, signal }, { system, isDue, logFile: flags.logJson }),
      tell: async (status) => {
        if (status.state === "waiting" && status.last && status.last.kind !== "not_due") {
          counts[status.last.kind] += 1;
        }
        await writeStatus(file, { ...fixed, ...statusDocument(status) });
        announce(context, status);
      },
    },
    context.signal,
  );
  return {
    document: { state: "stopped", ...counts, statusFile: file },
    text: () => `stopped after ${counts.completed} completed and ${counts.failed} failed runs`,
  };
}

function checkComes(timetable: Timetable, now: Instant, cron: string): void {
  if (timetable.nextAfter(now) !== undefined) return;
  throw new SlowwaveError(
    "usage",
    `cron expression ${JSON.stringify(cron)}: not due within a year`,
  );
}

/** Beside the store; for one that is elsewhere, where the logs are. */
function statusFileOf({ store }: Config, { io }: CommandContext): string {
  return isUri(store) ? path.join(stateFolder(io), "daemon.json") : `${store}.daemon.json`;
}

/** Opened anew for each run: the configuration may have changed, and a store that is not held open can be maintained by others. */
async function attempt(
  context: CommandContext,
  how: {
    readonly system: System;
    readonly isDue: (last: Instant | undefined) => boolean;
    readonly logFile: string | undefined;
  },
): Promise<Attempt> {
  try {
    return await withRunLog(context, { command: "daemon", file: how.logFile }, (log) =>
      withParts(context, { mode: "write", create: false }, async (parts) => {
        const last = await lastCompletedRun(parts.store, how.system.wallNow());
        if (last !== undefined && !how.isDue(last)) {
          await log.skip();
          return { kind: "not_due", last };
        }
        const report = await runPipeline(runDepsOf(parts), optionsOf(parts, context.signal));
        await log.report(report);
        return {
          kind: report.run.status === "completed" ? "completed" : "failed",
          detail: summary(report),
          isNews: (report.alarms ?? []).length > 0,
        };
      }),
    );
  } catch (error) {
    if (!(error instanceof SlowwaveError)) throw error;
    const { message, hint } = error;
    return { kind: "failed", detail: hint === undefined ? message : `${message} (${hint})` };
  }
}

function optionsOf({ config }: Parts, signal: AbortSignal): RunOptions {
  const { rateLimit, throttle, namespace } = config;
  return {
    rateLimit,
    ...(throttle === undefined ? {} : { throttle }),
    ...(namespace === undefined ? {} : { filter: { namespace } }),
    signal,
  };
}

/** With its alarms: the daemon's line is all that is seen of a run. */
function summary({ run, agents, alarms = [] }: RunReport): string {
  const applied = Object.entries(agents).map(([name, agent]) => `${name} ${agent.applied}`);
  const alarm = alarms.map((one) => `; alarm: ${one}`).join("");
  return `${run.id} ${run.status}: ${applied.join(", ")}${alarm}`;
}

function statusDocument({ state, nextAt, last }: DaemonStatus): object {
  return {
    state,
    ...(nextAt === undefined ? {} : { nextAt: toIso(nextAt) }),
    ...(last === undefined ? {} : { last: lastDocument(last) }),
  };
}

function lastDocument(last: Attempt & { readonly at: Instant }): object {
  const at = toIso(last.at);
  return last.kind === "not_due"
    ? { at, kind: last.kind, lastCompleted: toIso(last.last) }
    : { at, kind: last.kind, detail: last.detail };
}

async function writeStatus(file: string, status: object): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(`${file}.new`, `${JSON.stringify(status, null, 2)}\n`);
    await rename(`${file}.new`, file);
  } catch (cause) {
    throw new SlowwaveError("store_unavailable", `the status file ${file} cannot be written`, {
      cause,
      hint: "Give this user write permission for its folder.",
    });
  }
}

/** One line a run; a failure and an alarm also where the rest is to be quiet. */
function announce({ io, globals }: CommandContext, { state, nextAt, last }: DaemonStatus): void {
  if (state !== "waiting" || last === undefined) return;
  const next = nextAt === undefined ? "" : `; next at ${toIso(nextAt)}`;
  const what = last.kind === "not_due" ? "nothing is due" : last.detail;
  const isNews = last.kind === "failed" || (last.kind === "completed" && last.isNews === true);
  if (globals.quiet && !isNews) return;
  io.stderr.write(`${toIso(last.at)} ${printable(what)}${next}\n`);
}
