import { DAY_MS, type Instant } from "../model/instant.ts";
import type { Run } from "../model/run.ts";

/** A gap is a leap where it is this long, and this many times the usual one: a laptop that slept over a weekend is none. */
const LEAP_MS = 7 * DAY_MS;
const LEAP_TIMES = 10;
/** So long after a leap nothing is forgotten: time for a person to see the alarm, and for what is still wanted to be used. */
const HOLD_MS = 7 * DAY_MS;

export interface ClockLeap {
  /** When it was noticed: the start of the first run after it. */
  readonly at: Instant;
  readonly days: number;
  /** Until then decay archives nothing. */
  readonly holdUntil: Instant;
}

/**
 * The last leap between two runs, the present one among them, for as long as it still holds decay back. A clock set forward and a machine
 * that was off for weeks look the same from here, and deserve the same: all memories have aged at once, and nobody could use any.
 */
export function findClockLeap(earlier: readonly Run[], now: Instant): ClockLeap | undefined {
  const starts = [...earlier.map((run) => run.startedAt).filter((at) => at <= now), now];
  starts.sort((a, b) => a - b);
  const gaps = starts.slice(1).map((to, index) => {
    const from = starts[index] ?? to;
    return { to, gap: to - from };
  });
  for (const { to, gap } of gaps.toReversed()) {
    if (now - to >= HOLD_MS) return undefined;
    const usual = medianOf(gaps.filter((one) => one.to < to).map((one) => one.gap));
    if (usual !== undefined && gap >= LEAP_MS && gap >= LEAP_TIMES * usual) {
      return { at: to, days: Math.round(gap / DAY_MS), holdUntil: to + HOLD_MS };
    }
  }
  return undefined;
}

function medianOf(gaps: readonly number[]): number | undefined {
  return gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)];
}
