import fc from "fast-check";
import { expect, test } from "vitest";
import { createTimetable } from "../../../src/adapters/system-schedulers/create-timetable.ts";
import { DAY_MS, HOUR_MS, toIso } from "../../../src/model/instant.ts";

/** The due times from `from` on, in order. */
function timesFrom(expression: string, zone: string, from: string, count: number): string[] {
  const timetable = createTimetable(expression, zone);
  const times: string[] = [];
  let after = Date.parse(from);
  while (times.length < count) {
    after = timetable.nextAfter(after) ?? Number.NaN;
    times.push(toIso(after).slice(0, 16));
  }
  return times;
}

test("a timetable goes by the clock of its zone, also when that changes", () => {
  expect(timesFrom("17 4 * * *", "Europe/Berlin", "2026-03-28T00:00Z", 3)).toEqual([
    ...["2026-03-28T03:17", "2026-03-29T02:17", "2026-03-30T02:17"],
  ]);
});

test("a time that is skipped when clocks are put forward is due at the change", () => {
  expect(timesFrom("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00Z", 3)).toEqual([
    ...["2026-03-28T01:30", "2026-03-29T01:00", "2026-03-30T00:30"],
  ]);
});

test("a time that comes twice when clocks are put back is due once", () => {
  expect(timesFrom("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00Z", 2)).toEqual([
    ...["2026-10-25T00:30", "2026-10-26T01:30"],
  ]);
  // Asked from within the second pass.
  expect(timesFrom("30 2 * * *", "Europe/Berlin", "2026-10-25T01:10Z", 1)).toEqual([
    "2026-10-26T01:30",
  ]);
});

test("an expression for every hour goes by real hours", () => {
  const night = timesFrom("0 * * * *", "Europe/Berlin", "2026-10-24T23:30Z", 4);
  expect(night).toEqual([
    "2026-10-25T00:00",
    "2026-10-25T01:00",
    "2026-10-25T02:00",
    "2026-10-25T03:00",
  ]);
});

test.each([
  ["0 6 * * 1-5", "2026-03-06T12:00Z", "2026-03-09T06:00"],
  ["0 6 1 1 *", "2026-01-02T00:00Z", "2027-01-01T06:00"],
  ["*/20 8-9 * * *", "2026-03-06T09:20Z", "2026-03-06T09:40"],
  ["@daily", "2026-03-06T09:20Z", "2026-03-07T00:00"],
])("%s after %s is due at %s", (expression, from, expected) => {
  expect(timesFrom(expression, "UTC", from, 1)).toEqual([expected]);
});

test("a date that does not come within a year is never due", () => {
  expect(createTimetable("0 0 29 2 *", "UTC").nextAfter(Date.parse("2025-03-01"))).toBeUndefined();
});

test.each([
  ["61 4 * * *", "UTC", "61 is a invalid expression for minute"],
  ["4 * * *", "UTC", "expected 5 or 6 fields but got 4"],
  ["* * * * * *", "UTC", "expected no seconds"],
  ["0 4 * * *", "Europe/Atlantis", 'expected a time zone, got "Europe/Atlantis"'],
])("the timetable %j in %s is refused", (expression, zone, message) => {
  expect(() => createTimetable(expression, zone)).toThrow(message);
});

test("a daily time is due exactly once on each day of the local calendar, in every zone", () => {
  const zones = fc.constantFrom(
    ...[
      "Europe/Berlin",
      "America/New_York",
      "Australia/Lord_Howe",
      "Asia/Kathmandu",
      "America/St_Johns",
    ],
  );
  const time = fc.record({ hour: fc.nat(23), minute: fc.nat(59), zone: zones, month: fc.nat(11) });
  fc.assert(
    fc.property(time, ({ hour, minute, zone, month }) => {
      const timetable = createTimetable(`${minute} ${hour} * * *`, zone);
      const start = Date.UTC(2026, month, 1);
      const dayOf = new Intl.DateTimeFormat("en-CA", { timeZone: zone });
      const days: string[] = [];
      let at = timetable.nextAfter(start) ?? 0;
      for (; at < start + 35 * DAY_MS; at = timetable.nextAfter(at) ?? Number.POSITIVE_INFINITY) {
        days.push(dayOf.format(at));
      }
      expect(new Set(days).size).toBe(days.length);
      const first = Date.parse(days[0] ?? "");
      expect(days).toEqual(days.map((_, index) => toIso(first + index * DAY_MS).slice(0, 10)));
      expect(at - start).toBeLessThan(36 * DAY_MS + 2 * HOUR_MS);
    }),
    { numRuns: 25 },
  );
});
