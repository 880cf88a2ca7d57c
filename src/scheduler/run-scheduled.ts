import { HOUR_MS, type Instant, toIso } from "../model/instant.ts";
import type { RunReport } from "../model/run-report.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import { isUnchanged, RUNS_AN_HOUR } from "./raise-alarms.ts";
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
  const broken = await whyBroken(deps.store, now);
  if (broken !== undefined) return broken;
  const last = await lastCompletedRun(deps.store, now);
  if (last === undefined) return undefined;
  const next = last + intervalHours * HOUR_MS;
  if (now >= next - GRACE_MS) return undefined;
  return `the last completed run was at ${toIso(last)}; the next is due at ${toIso(next)} (every ${intervalHours} h)`;
}

/**
 * The breaker. The interval counts from completed runs, so what fails is started again by every trigger; a run each minute that changes
 * nothing is stopped by it too, whatever interval it was given.
 */
async function whyBroken(
  store: Pick<MemoryStore, "read">,
  now: Instant,
): Promise<string | undefined> {
  const starts = (await store.read("run"))
    .filter(({ scope, startedAt }) => scope === "pipeline" && startedAt <= now)
    .filter(({ startedAt }) => startedAt > now - HOUR_MS)
    .toSorted((a, b) => a.startedAt - b.startedAt);
  const [first] = starts;
  if (first === undefined || starts.length < RUNS_AN_HOUR) return undefined;
  if (!starts.every(({ agents }) => isUnchanged(agents))) return undefined;
  return `${starts.length} runs within an hour changed nothing; the next may start at ${toIso(first.startedAt + HOUR_MS)} (--force runs now)`;
}

/** When the last completed pipeline run began. One dated in the future says nothing: the clock was wrong then, or is now. */
export async function lastCompletedRun(
  store: Pick<MemoryStore, "read">,
  now: Instant,
): Promise<Instant | undefined> {
  const runs = await store.read("run");
  const starts = runs
    .filter(
      ({ scope, status, startedAt }) =>
        scope === "pipeline" && status === "completed" && startedAt <= now,
    )
    .map((run) => run.startedAt);
  return starts.length === 0 ? undefined : Math.max(...starts);
}
