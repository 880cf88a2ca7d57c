import fc from "fast-check";
import { expect, test } from "vitest";
import { extractDates, mayBeSameDate } from "../../src/text/dates.ts";
import { resolveRelativeDates } from "../../src/text/relative-dates.ts";
import { extractTimes, mayBeSameClock } from "../../src/text/times.ts";

const dates = (text: string) =>
  extractDates(text).map(({ year, month, day, quarter, isAmbiguous }) =>
    [
      year ?? "-",
      month ?? "-",
      day ?? "-",
      ...(quarter ? [`q${quarter}`] : []),
      ...(isAmbiguous ? ["?"] : []),
    ].join(" "),
  );

test.each([
  ["due 2025-10-15", ["2025 10 15"]],
  ["at 2025-10-15T09:30:00Z sharp", ["2025 10 15"]],
  ["due 15 Oct", ["- 10 15"]],
  ["due October 15th, 2025", ["2025 10 15"]],
  ["the 12th of April", ["- 4 12"]],
  ["due 12/05/2025", ["2025 12 5 ?"]],
  ["due 25/12/2025", ["2025 12 25"]],
  ["am 15.10.2025", ["2025 10 15"]],
  ["in December 2025", ["2025 12 -"]],
  ["joined in 2012", ["2012 - -"]],
  ["by Q3 2025", ["2025 - - q3"]],
  ["in May it may march", ["- 5 -"]],
  ["2012 requests", []],
  ["she will march on", []],
  ["on the 3rd, at noon", ["- - 3"]],
])("extractDates reads %j", (text, expected) => {
  expect(dates(text)).toEqual(expected);
});

test.each([
  ["15 Oct", "2025-10-15", true],
  ["15 Oct 2024", "2025-10-15", false],
  ["12/05/2025", "5 December 2025", true],
  ["12/05/2025", "12 May 2025", true],
  ["12/05/2025", "13 May 2025", false],
  ["June 3rd", "June 13th", false],
])("mayBeSameDate of %j and %j is %s", (a, b, expected) => {
  const [first] = extractDates(a);
  const [second] = extractDates(b);
  expect(first && second && mayBeSameDate(first, second)).toBe(expected);
});

test.each([
  ["at 5 PM", [1020]],
  ["at 5pm", [1020]],
  ["at 5:15 p.m. sharp", [1035]],
  ["at 16:30", [990]],
  ["at 12 AM", [0]],
  ["at noon", [720]],
  ["9:40 in the morning", [580]],
  ["9:40 in the evening", [1300]],
  ["7 o'clock", [420]],
  ["from 9 to 11 am", [540, 660]],
  ["a ratio of 3", []],
])("extractTimes reads the clock in %j", (text, expected) => {
  expect(extractTimes(text).clocks.map((clock) => clock.minutes)).toEqual(expected);
});

test.each([
  ["at 5:30", "at 17:30", true],
  ["at 5:30 AM", "at 17:30", false],
  ["at 9:00 UTC", "at 9:00 CET", false],
  ["at 9:00 UTC", "at 9 AM", true],
])("mayBeSameClock of %j and %j is %s", (a, b, expected) => {
  const [first] = extractTimes(a).clocks;
  const [second] = extractTimes(b).clocks;
  expect(first && second && mayBeSameClock(first, second)).toBe(expected);
});

test.each([
  ["every Friday", [[4]]],
  ["on Fridays", [[4]]],
  ["Monday through Friday", [[0, 1, 2, 3, 4]]],
  ["every weekday", [[0, 1, 2, 3, 4]]],
  ["at the weekend", [[5, 6]]],
  ["the sun sat", []],
])("extractTimes reads the weekdays in %j", (text, expected) => {
  expect(extractTimes(text).weekdays.map((mention) => mention.days)).toEqual(expected);
});

test.each([
  ["daily", 1],
  ["nightly", 1],
  ["weekly", 1 / 7],
  ["twice a week", 2 / 7],
  ["3x per week", 3 / 7],
  ["three times a day", 3],
  ["every 6 hours", 4],
  ["every other day", 1 / 2],
  ["each evening", 1],
])("extractTimes reads the frequency %j", (text, expected) => {
  expect(
    extractTimes(`It runs ${text}.`).frequencies.map((mention) => mention.timesPerDay)[0],
  ).toBeCloseTo(expected);
});

// A Sunday.
const ANCHOR = Date.UTC(2025, 2, 2, 15, 30);

test.each([
  ["yesterday", "2025-03-01"],
  ["last night", "2025-03-01"],
  ["today", "2025-03-02"],
  ["tonight", "2025-03-02"],
  ["tomorrow morning", "2025-03-03"],
  ["the day before yesterday", "2025-02-28"],
  ["two days ago", "2025-02-28"],
  ["in 3 days", "2025-03-05"],
  ["last Friday", "2025-02-28"],
  ["last Sunday", "2025-02-23"],
])("resolveRelativeDates is sure of %j", (phrase, absolute) => {
  const text = `They met ${phrase}.`;
  const [found] = resolveRelativeDates(text, ANCHOR);
  expect(found).toMatchObject({ phrase, absolute, precision: "day", isAmbiguous: false });
  expect(text.slice(found?.start, found?.end)).toBe(phrase);
});

test.each([
  ["next Friday", "2025-03-07", "day"],
  ["this Friday", "2025-03-07", "day"],
  ["last week", "2025-02-17", "week"],
  ["next month", "2025-04-01", "month"],
  ["last year", "2024-01-01", "year"],
  ["a month ago", "2025-02-01", "month"],
])("resolveRelativeDates flags %j", (phrase, absolute, precision) => {
  expect(resolveRelativeDates(`They meet ${phrase}.`, ANCHOR)).toMatchObject([
    { absolute, precision, isAmbiguous: true },
  ]);
});

test.each(["on 2025-03-01", "in 3 of them", "the last one", "Fridays"])(
  "resolveRelativeDates finds nothing in %j",
  (text) => {
    expect(resolveRelativeDates(text, ANCHOR)).toEqual([]);
  },
);

test("resolveRelativeDates puts yesterday one day before today at any moment", () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date("1971-01-01"), max: new Date("2200-01-01"), noInvalidDate: true }),
      (moment) => {
        const [yesterday, today] = resolveRelativeDates("yesterday and today", moment.getTime());
        expect(Date.parse(today?.absolute ?? "") - Date.parse(yesterday?.absolute ?? "")).toBe(
          86_400_000,
        );
      },
    ),
  );
});
