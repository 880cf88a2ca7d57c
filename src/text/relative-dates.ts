import { parseNumberWords } from "./number-words.ts";
import { type Span, spanOf } from "./spans.ts";

/** A phrase such as "yesterday" and the day it meant when the text was written. */
export interface RelativeDate {
  readonly phrase: string;
  readonly start: number;
  readonly end: number;
  /** `YYYY-MM-DD` in UTC: the day, or the first day of the week, month or year. */
  readonly absolute: string;
  readonly precision: "day" | "week" | "month" | "year";
  /** People read the phrase in more than one way ("next Friday") or it names no single day ("last month"). */
  readonly isAmbiguous: boolean;
}

/**
 * Relative dates against the moment the text was written (`anchorMs`, UTC). An ambiguous one gets the likeliest reading
 * and is flagged: write it into a text only where a wrong day cannot mislead.
 */
export function resolveRelativeDates(text: string, anchorMs: number): readonly RelativeDate[] {
  const anchor = startOfDay(anchorMs);
  const found: RelativeDate[] = [];
  for (const { pattern, resolve } of FORMS) {
    for (const match of text.matchAll(pattern)) {
      const span = spanOf(match);
      if (found.some((other) => span.start < other.end && other.start < span.end)) continue;
      found.push(toRelativeDate(span, resolve({ anchor, groups: lowerCased(match.groups ?? {}) })));
    }
  }
  return found.sort((a, b) => a.start - b.start);
}

interface Request {
  readonly anchor: number;
  readonly groups: Readonly<Record<string, string>>;
}

interface Resolved {
  readonly dayMs: number;
  readonly precision: RelativeDate["precision"];
  readonly isAmbiguous: boolean;
}

const DAY_MS = 86_400_000;
const WEEKDAYS = "monday tuesday wednesday thursday friday saturday sunday".split(" ");
const COUNT =
  "(?<count>\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)";
const UNIT = "(?<unit>day|week|month|year)s?";

const FORMS: readonly {
  readonly pattern: RegExp;
  readonly resolve: (request: Request) => Resolved;
}[] = [
  { pattern: /\bthe day before yesterday\b/giu, resolve: ({ anchor }) => day(anchor - 2 * DAY_MS) },
  { pattern: /\bthe day after tomorrow\b/giu, resolve: ({ anchor }) => day(anchor + 2 * DAY_MS) },
  {
    pattern: /\b(?:yesterday(?: (?:morning|afternoon|evening|night))?|last night)\b/giu,
    resolve: ({ anchor }) => day(anchor - DAY_MS),
  },
  {
    pattern: /\btomorrow(?: (?:morning|afternoon|evening|night))?\b/giu,
    resolve: ({ anchor }) => day(anchor + DAY_MS),
  },
  {
    pattern: /\b(?:today|tonight|this (?:morning|afternoon|evening))\b/giu,
    resolve: ({ anchor }) => day(anchor),
  },
  {
    pattern: new RegExp(`\\b${COUNT} ${UNIT} ago\\b`, "giu"),
    resolve: (request) => shift(request, -1),
  },
  {
    pattern: new RegExp(`\\bin ${COUNT} ${UNIT}(?= time\\b|(?! of\\b))(?: time)?\\b`, "giu"),
    resolve: (request) => shift(request, 1),
  },
  {
    pattern: new RegExp(`\\b(?<which>last|this|next) (?<weekday>${WEEKDAYS.join("|")})\\b`, "giu"),
    resolve: weekday,
  },
  { pattern: /\b(?<which>last|this|next) (?<unit>week|month|year)\b/giu, resolve: period },
];

function toRelativeDate(span: Span, { dayMs, precision, isAmbiguous }: Resolved): RelativeDate {
  const absolute = new Date(dayMs).toISOString().slice(0, "YYYY-MM-DD".length);
  return { phrase: span.text, start: span.start, end: span.end, absolute, precision, isAmbiguous };
}

function day(dayMs: number, isAmbiguous = false): Resolved {
  return { dayMs, precision: "day", isAmbiguous };
}

function shift({ anchor, groups }: Request, direction: 1 | -1): Resolved {
  const written = groups.count ?? "1";
  const count = /^an?$/u.test(written) ? 1 : (parseNumberWords(written) ?? Number(written));
  const unit = groups.unit ?? "day";
  if (unit === "day") return day(anchor + direction * count * DAY_MS);
  if (unit === "week") return day(anchor + direction * count * 7 * DAY_MS, true);
  const months = direction * count * (unit === "month" ? 1 : 12);
  return {
    dayMs: startOfMonth(anchor, months),
    precision: unit === "month" ? "month" : "year",
    isAmbiguous: true,
  };
}

/** "last Friday" is the one before today; "next Friday" is read as the coming one, though many mean the one after it. */
function weekday({ anchor, groups }: Request): Resolved {
  const ahead = (WEEKDAYS.indexOf(groups.weekday ?? "") - weekdayOf(anchor) + 7) % 7;
  if (groups.which === "last") return day(anchor - (7 - ahead) * DAY_MS);
  if (groups.which === "next") return day(anchor + (ahead || 7) * DAY_MS, true);
  return day(anchor + ahead * DAY_MS, true);
}

function period({ anchor, groups }: Request): Resolved {
  const offset = { last: -1, this: 0, next: 1 }[groups.which ?? ""] ?? 0;
  if (groups.unit === "week") {
    return {
      dayMs: anchor + (7 * offset - weekdayOf(anchor)) * DAY_MS,
      precision: "week",
      isAmbiguous: true,
    };
  }
  if (groups.unit === "month")
    return { dayMs: startOfMonth(anchor, offset), precision: "month", isAmbiguous: true };
  return {
    dayMs: Date.UTC(new Date(anchor).getUTCFullYear() + offset, 0, 1),
    precision: "year",
    isAmbiguous: true,
  };
}

function startOfDay(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function startOfMonth(ms: number, offset: number): number {
  const date = new Date(ms);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1);
}

/** 0 = Monday. */
function weekdayOf(ms: number): number {
  return (new Date(ms).getUTCDay() + 6) % 7;
}

function lowerCased(
  groups: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(groups).map(([name, value]) => [name, (value ?? "").toLowerCase()]),
  );
}
