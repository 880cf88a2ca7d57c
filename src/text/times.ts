import { type DateMention, extractDates } from "./dates.ts";
import { extractFrequencies, type FrequencyMention } from "./frequencies.ts";
import { maskBlobs, maskSpans } from "./mask.ts";
import { type Span, spanOf } from "./spans.ts";

/** A time of day. */
export interface ClockMention extends Span {
  /** Minutes after midnight, 0–1439. */
  readonly minutes: number;
  /** "5:30" without am or pm: twelve hours later is possible as well. */
  readonly isAmbiguous: boolean;
  readonly zone?: string;
}

/** Days of the week, 0 = Monday. "weekdays" and "Monday to Friday" give five of them. */
export interface WeekdayMention extends Span {
  readonly days: readonly number[];
}

export interface Times {
  readonly dates: readonly DateMention[];
  readonly clocks: readonly ClockMention[];
  readonly weekdays: readonly WeekdayMention[];
  readonly frequencies: readonly FrequencyMention[];
}

/** Every date, time of day, weekday and frequency of a text. Lengths of time are quantities (`extractQuantities`). */
export function extractTimes(text: string): Times {
  const dates = extractDates(text);
  const afterDates = maskSpans(maskBlobs(text), dates);
  const frequencies = extractFrequencies(afterDates);
  const afterFrequencies = maskSpans(afterDates, frequencies);
  const clocks = extractClocks(afterFrequencies);
  return { dates, clocks, weekdays: extractWeekdays(afterDates), frequencies };
}

/** Whether two times of day may be the same one. */
export function mayBeSameClock(a: ClockMention, b: ClockMention): boolean {
  if (a.zone !== undefined && b.zone !== undefined && a.zone !== b.zone) return false;
  if (a.minutes === b.minutes) return true;
  return (a.isAmbiguous || b.isAmbiguous) && a.minutes % HALF_DAY === b.minutes % HALF_DAY;
}

const HALF_DAY = 720;

const CLOCK =
  /\b(?<hour>[01]?\d|2[0-4])(?:[:.h](?<minute>[0-5]\d))?(?::[0-5]\d)?\s*(?<half>am|pm|a\.m\.?|p\.m\.?)(?![a-z])|\b(?<hour24>[01]?\d|2[0-4])[:](?<minute24>[0-5]\d)(?::[0-5]\d)?(?:\s*(?:h|hrs)\b)?(?<part>\s+(?:in the (?:morning|afternoon|evening)|at night))?|\b(?<oclock>\d{1,2}) o'clock(?<part2>\s+(?:in the (?:morning|afternoon|evening)|at night))?|\b(?<named>noon|midday|midnight)\b/giu;
const ZONE = /^\s*\(?(UTC|GMT|CES?T|EES?T|P[SD]T|E[SD]T|C[SD]T|M[SD]T|BST|IST|JST)\b/u;
/** "9-11 am", "9 to 11 am": the first hour takes the half of the day from the second. */
const RANGE_START =
  /\b(?<hour>1[0-2]|[1-9])(?:\s*-\s*|\s+(?:to|and|or|until)\s+)(?=\d{1,2}(?::\d{2})?\s*(?<half>am|pm|a\.m|p\.m))/giu;

function extractClocks(text: string): ClockMention[] {
  if (!/\d|noon|midday|midnight/iu.test(text)) return [];
  const clocks = Array.from(text.matchAll(CLOCK), (match) => readClock(text, match));
  const starts = Array.from(text.matchAll(RANGE_START), (match) => ({
    ...spanOf(match),
    minutes: twelveHour(Number(match.groups?.hour), match.groups?.half ?? "") * 60,
    isAmbiguous: true,
  }));
  return [...starts, ...clocks]
    .filter((clock) => clock.minutes < 1440)
    .sort((a, b) => a.start - b.start);
}

function readClock(text: string, match: RegExpMatchArray): ClockMention {
  const span = spanOf(match);
  const zone = ZONE.exec(text.slice(span.end))?.[1];
  return { ...span, ...clockMinutes(match.groups ?? {}), ...(zone === undefined ? {} : { zone }) };
}

function clockMinutes(
  groups: Readonly<Record<string, string | undefined>>,
): Pick<ClockMention, "minutes" | "isAmbiguous"> {
  const { named, half, hour, minute, hour24, minute24, oclock } = groups;
  if (named !== undefined)
    return { minutes: /^midnight/iu.test(named) ? 0 : HALF_DAY, isAmbiguous: false };
  if (half !== undefined) {
    return {
      minutes: twelveHour(Number(hour), half) * 60 + Number(minute ?? 0),
      isAmbiguous: false,
    };
  }
  const written = hour24 ?? oclock ?? "0";
  const part = (groups.part ?? groups.part2 ?? "").toLowerCase();
  const isLate = /afternoon|evening|night/u.test(part);
  const hours = isLate && Number(written) < 12 ? Number(written) + 12 : Number(written) % 24;
  const isAmbiguous = part === "" && hours >= 1 && hours <= 12 && !written.startsWith("0");
  return { minutes: hours * 60 + Number(minute24 ?? 0), isAmbiguous };
}

function twelveHour(hour: number, half: string): number {
  return (hour % 12) + (half.toLowerCase().startsWith("p") ? 12 : 0);
}

const DAY_NAMES = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
const DAY =
  "(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|monday|tuesday|wednesday|thursday|friday|saturday|sunday)(?:'?s)?|(?:Mon|Tues?|Wed|Thurs?|Fri|Sat|Sun)\\b\\.?";
const WEEKDAYS = new RegExp(
  `\\b(?:(?<from>${DAY})\\s*(?:-|to|through|thru|until)\\s*(?<to>${DAY})|(?<day>${DAY})|(?<set>weekdays?|working days?|workdays?|weekends?))(?!\\w)`,
  "gu",
);
const WEEKDAY_SETS: readonly (readonly [RegExp, readonly number[]])[] = [
  [/^week-?end/u, [5, 6]],
  [/^w/u, [0, 1, 2, 3, 4]],
];

function extractWeekdays(text: string): WeekdayMention[] {
  return Array.from(text.matchAll(WEEKDAYS), (match) => {
    const { from, to, day, set } = match.groups ?? {};
    return { ...spanOf(match), days: weekdaysOf({ from: from ?? day, to: to ?? day, set }) };
  });
}

function weekdaysOf(named: {
  from: string | undefined;
  to: string | undefined;
  set: string | undefined;
}): readonly number[] {
  if (named.set !== undefined) {
    const written = named.set;
    return WEEKDAY_SETS.find(([pattern]) => pattern.test(written))?.[1] ?? [];
  }
  const first = dayIndex(named.from ?? "");
  const last = dayIndex(named.to ?? "");
  const length = ((last - first + 7) % 7) + 1;
  return Array.from({ length }, (_, offset) => (first + offset) % 7);
}

function dayIndex(name: string): number {
  return DAY_NAMES.indexOf(name.slice(0, 3).toLowerCase());
}
