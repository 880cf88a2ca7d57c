import { HOUR_MS, type Instant } from "../model/instant.ts";
import type { System } from "../ports/system.ts";
import type { Timetable } from "../ports/timetable.ts";

/** What came of looking whether a run is due. */
export type Attempt =
  | { readonly kind: "not_due"; readonly last: Instant }
  | {
      readonly kind: "completed" | "failed";
      readonly detail: string;
      /** Worth a line also where the rest is to be quiet. */
      readonly isNews?: boolean;
    };

export interface DaemonStatus {
  readonly state: "running" | "waiting" | "stopped";
  readonly nextAt?: Instant;
  readonly last?: Attempt & { readonly at: Instant };
}

export interface DaemonDeps {
  readonly timetable: Timetable;
  readonly system: System;
  /** Runs the pipeline if `isDue` says so of the last completed run's start. Predicted failures are an answer, not a rejection. */
  attempt(isDue: (last: Instant | undefined) => boolean, signal: AbortSignal): Promise<Attempt>;
  /** Called at every change. */
  tell(status: DaemonStatus): Promise<void>;
}

/** A night that failed has a few more chances before the next one. */
const RETRY_MS = HOUR_MS;
/** Short, since a machine that slept wakes up in the middle of a wait. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Runs the pipeline at the timetable's times until `signal` aborts; then what runs is finished up to its batch. Whether a run is due is
 * decided by the last completed run in the store, not by what this process remembers: a time that passed while the daemon or the machine
 * was off is made up for once, and a time that another process served is left out.
 */
export async function runDaemon(deps: DaemonDeps, signal: AbortSignal): Promise<void> {
  const { system } = deps;
  let madeAt = system.wallNow();
  let nextAt = madeAt;
  let last: DaemonStatus["last"];
  while (!signal.aborted) {
    const now = system.wallNow();
    // A clock that was set back makes the plan worthless: what seemed near may be a year away.
    if (now >= nextAt || now < madeAt) {
      await deps.tell({ state: "running", ...(last ? { last } : {}) });
      // Order matters: the next time depends on how this one ended.
      const attempt = await deps.attempt((run) => isDue(deps.timetable, run, now), signal);
      last = { ...attempt, at: now };
      madeAt = now;
      nextAt = whenNext(deps.timetable, attempt, now);
      await deps.tell({ state: "waiting", last, ...(Number.isFinite(nextAt) ? { nextAt } : {}) });
    }
    await pause(system, Math.min(LONGEST_WAIT_MS, nextAt - system.wallNow()), signal);
  }
  await deps.tell({ state: "stopped", ...(last ? { last } : {}) });
}

function isDue(timetable: Timetable, last: Instant | undefined, now: Instant): boolean {
  if (last === undefined) return true;
  const due = timetable.nextAfter(last);
  return due !== undefined && due <= now;
}

function whenNext(timetable: Timetable, attempt: Attempt, now: Instant): Instant {
  const after = attempt.kind === "not_due" ? attempt.last : now;
  const due = timetable.nextAfter(after) ?? Number.POSITIVE_INFINITY;
  return attempt.kind === "failed" ? Math.min(due, now + RETRY_MS) : due;
}

async function pause(system: System, ms: number, signal: AbortSignal): Promise<void> {
  try {
    await system.sleep(Math.max(0, ms), signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
