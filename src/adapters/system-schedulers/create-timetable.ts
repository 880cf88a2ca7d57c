import { createTask, type ParsedFields, validateDetailed } from "node-cron";
import { SlowwaveError } from "../../model/errors.ts";
import { DAY_MS, HOUR_MS } from "../../model/instant.ts";
import type { Timetable } from "../../ports/timetable.ts";
import { createZoneOffsets } from "./zone-offsets.ts";

const MINUTE_MS = 60_000;
const FARTHEST_MS = 367 * DAY_MS;
/** Clocks are put back by at most so much. */
const LONGEST_REPEAT_MS = 3 * HOUR_MS;

/**
 * A timetable whose expression is read by node-cron. Its own timers are not used for it: they leave out a time that a change of clocks
 * skips, and know nothing of runs that others started.
 * @throws SlowwaveError `usage` for an expression or a zone that cannot be read
 */
export function createTimetable(expression: string, timeZone: string): Timetable {
  const fields = parseExpression(expression);
  const matches = createMatcher(expression, fields);
  const offsetAt = createZoneOffsets(timeZone);
  const goesByRealHours = fields.hour.length === 24;
  return {
    nextAfter: (after) => {
      const start = Math.floor(after / MINUTE_MS) * MINUTE_MS;
      let latest = Number.NEGATIVE_INFINITY;
      for (let at = start - LONGEST_REPEAT_MS; at <= start + FARTHEST_MS; at += MINUTE_MS) {
        const local = at + offsetAt(at);
        const first =
          goesByRealHours || latest === Number.NEGATIVE_INFINITY ? local : latest + MINUTE_MS;
        latest = Math.max(latest, local);
        if (at > after && anyMatch(matches, first, local)) return at;
      }
      return undefined;
    },
  };
}

function anyMatch(matches: (local: number) => boolean, from: number, to: number): boolean {
  for (let local = from; local <= to; local += MINUTE_MS) if (matches(local)) return true;
  return false;
}

function parseExpression(expression: string): ParsedFields {
  const { valid, fields, errors } = validateDetailed(expression);
  if (!valid || fields === undefined) {
    const reasons = errors.map(({ message }) => message).join("; ");
    throw new SlowwaveError("usage", `cron expression ${JSON.stringify(expression)}: ${reasons}`, {
      hint: 'Five fields: minute, hour, day of month, month, day of week, for example "17 4 * * *".',
    });
  }
  if (fields.second.length === 1 && fields.second[0] === 0) return fields;
  throw new SlowwaveError(
    "usage",
    `cron expression ${JSON.stringify(expression)}: expected no seconds`,
  );
}

/** node-cron takes 0.2 ms to match a time, so it is asked once for each day of the local calendar. */
function createMatcher(expression: string, fields: ParsedFields): (local: number) => boolean {
  const task = createTask(expression, () => undefined, { timezone: "UTC" });
  const [hours, minutes] = [new Set(fields.hour), new Set(fields.minute)];
  const firstOfDay = (Math.min(...hours) * 60 + Math.min(...minutes)) * MINUTE_MS;
  let known = { day: Number.NaN, isDue: false };
  return (local) => {
    const minuteOfDay = (local - Math.floor(local / DAY_MS) * DAY_MS) / MINUTE_MS;
    if (!minutes.has(minuteOfDay % 60) || !hours.has(Math.floor(minuteOfDay / 60))) return false;
    const day = Math.floor(local / DAY_MS);
    if (known.day !== day) known = { day, isDue: task.match(new Date(day * DAY_MS + firstOfDay)) };
    return known.isDue;
  };
}
