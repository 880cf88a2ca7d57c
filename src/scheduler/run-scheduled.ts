import { HOUR_MS, type Instant, toIso } from "../model/instant.ts";
import type { RunReport } from "../model/run-report.ts";
import type { RunDeps } from "./run-deps.ts";
import type { RunOptions } from "./run-options.ts";
import { runPipeline } from "./run-pipeline.ts";

export type ScheduledRun =
  | { readonly skipped: true; readonly reason: string }
  | { readonly skipped: false; readonly report: RunReport };

/** cron fires a little early or late: two hourly starts may lie 59:59 apart, and must both run. */
const GRACE_MS = 30_000;

/**
 * Runs the pipeline unless the interval since the start of the last completed pipeline run has not passed. That run is kept in the
 * store, so it does not matter who starts this, how often, or from where.
 */
export async function runScheduled(
  deps: RunDeps,
  schedule: { readonly intervalHours: number; readonly force?: boolean },
  options: RunOptions = {},
): Promise<ScheduledRun> {
  const reason = schedule.force ? undefined : await whyNotDue(deps, schedule.intervalHours);
  if (reason !== undefined) return { skipped: true, reason };
  return { skipped: false, report: await runPipeline(deps, options) };
}

async function whyNotDue(deps: RunDeps, intervalHours: number): Promise<string | undefined> {
  const now = deps.clock.now();
  const runs = await deps.store.read("run");
  const last = lastCompleted(
    runs.filter((run) => run.scope === "pipeline" && run.status === "completed"),
    now,
  );
  if (last === undefined) return undefined;
  const next = last + intervalHours * HOUR_MS;
  if (now >= next - GRACE_MS) return undefined;
  return `the last completed run was at ${toIso(last)}; the next is due at ${toIso(next)} (every ${intervalHours} h)`;
}

/** A run dated in the future says nothing: the clock was wrong then, or is now. */
function lastCompleted(
  runs: readonly { readonly startedAt: Instant }[],
  now: Instant,
): Instant | undefined {
  const starts = runs.map((run) => run.startedAt).filter((start) => start <= now);
  return starts.length === 0 ? undefined : Math.max(...starts);
}
