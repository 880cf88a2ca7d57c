import { maskBlobs, maskSpans } from "./mask.ts";
import { type Span, spanOf } from "./spans.ts";

/** A calendar date as far as the text gives it. Months and days count from 1. */
export interface DateMention extends Span {
  readonly year?: number;
  readonly month?: number;
  readonly day?: number;
  readonly quarter?: number;
  /** "12/05/2025": day and month could stand the other way round. */
  readonly isAmbiguous?: boolean;
}

/** Dates in any of the usual written forms, months alone, and years that are clearly years. */
export function extractDates(text: string): readonly DateMention[] {
  const found: DateMention[] = [];
  let rest = maskBlobs(text);
  const forms = /\d/u.test(text) ? FORMS : [MONTH_ALONE];
  for (const { pattern, read } of forms) {
    for (const match of rest.matchAll(pattern)) {
      const date = read(match.groups ?? {});
      if (date !== undefined && isPlausible(date)) found.push({ ...spanOf(match), ...date });
    }
    rest = maskSpans(rest, found);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Whether two mentions may mean the same day: no part that both of them give differs. */
export function mayBeSameDate(a: DateMention, b: DateMention): boolean {
  if (
    agree(a.year, b.year) &&
    agree(a.quarter, b.quarter) &&
    agree(a.month, b.month) &&
    agree(a.day, b.day)
  ) {
    return true;
  }
  const isEitherAmbiguous = a.isAmbiguous === true || b.isAmbiguous === true;
  return (
    isEitherAmbiguous && agree(a.year, b.year) && agree(a.month, b.day) && agree(a.day, b.month)
  );
}

type DateParts = Pick<DateMention, "year" | "month" | "day" | "quarter" | "isAmbiguous">;
type Groups = Readonly<Record<string, string | undefined>>;

interface DateForm {
  readonly pattern: RegExp;
  readonly read: (groups: Groups) => DateParts | undefined;
}

const MONTHS =
  "january february march april may june july august september october november december".split(
    " ",
  );

const MONTH =
  "(?<month>January|February|March|April|May|June|July|August|September|October|November|December|january|february|april|june|july|august|september|october|november|december|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|jan|feb|apr|jun|jul|aug|sept?|oct|nov|dec)\\b\\.?)";
const DAY = "(?<day>0?[1-9]|[12]\\d|3[01])(?:st|nd|rd|th)?\\b";
const YEAR = "(?<year>(?:1[5-9]|20|21)\\d{2})";

const MONTH_ALONE: DateForm = { pattern: new RegExp(`\\b${MONTH}(?!\\w)`, "gu"), read: named };

const FORMS: readonly DateForm[] = [
  {
    pattern:
      /\b(?<year>\d{4})-(?<m>\d{2})-(?<day>\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?|\b)/gu,
    read: numeric,
  },
  { pattern: /\b(?<year>\d{4})\/(?<m>\d{1,2})\/(?<day>\d{1,2})\b/gu, read: numeric },
  { pattern: /\b(?<day>\d{1,2})\.(?<m>\d{1,2})\.(?<year>\d{4})\b/gu, read: numeric },
  { pattern: /\b(?<m>\d{1,2})[/-](?<day>\d{1,2})[/-](?<year>\d{4}|\d{2})\b/gu, read: ambiguous },
  {
    pattern: new RegExp(
      `\\b${MONTH}\\s+(?:the\\s+)?${DAY}(?:(?:,\\s*|\\s+)${YEAR})?(?![\\d:.]*\\d)`,
      "gu",
    ),
    read: named,
  },
  { pattern: new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH}(?:,?\\s+${YEAR})?`, "gu"), read: named },
  { pattern: new RegExp(`\\b${MONTH}\\s*(?:of\\s+)?${YEAR}\\b`, "gu"), read: named },
  {
    pattern:
      /\b(?:Q(?<quarter>[1-4])(?:[\s/]*(?<year>20\d{2}))?|(?<year2>20\d{2})[\s/-]*Q(?<quarter2>[1-4]))\b/gu,
    read: quarterly,
  },
  MONTH_ALONE,
  {
    pattern:
      /(?<=\b(?:in|since|from|until|till|of|by|during|before|after|through|to|early|late|mid|and|summer|winter|spring|fall|autumn|year)[\s-]+|\()(?<year>(?:1[89]|20|21)\d{2})(?=\b(?![-.,:/]?\d)(?!\s*(?:%|[a-z]*(?:mg|kg|km|euros?|dollars?|users|requests|items|rows|tokens|characters|people)\b)))/giu,
    read: numeric,
  },
  {
    pattern: /(?<=\bthe\s+)(?<day>\d{1,2})(?:st|nd|rd|th)\b(?=\s*(?:$|[.,;)]|at\b|in the\b))/gu,
    read: numeric,
  },
];

function numeric(groups: Groups): DateParts {
  return defined({
    year: toNumber(groups.year),
    month: toNumber(groups.m),
    day: toNumber(groups.day),
  });
}

function ambiguous(groups: Groups): DateParts {
  const year = toNumber(groups.year) ?? 0;
  const [first, second] = [toNumber(groups.m) ?? 0, toNumber(groups.day) ?? 0];
  const fullYear = year < 100 ? 2000 + year : year;
  if (first > 12) return { year: fullYear, month: second, day: first };
  return {
    year: fullYear,
    month: first,
    day: second,
    isAmbiguous: second <= 12 && first !== second,
  };
}

function named(groups: Groups): DateParts {
  const name = (groups.month ?? "").toLowerCase().slice(0, 3);
  const month = MONTHS.findIndex((full) => full.startsWith(name)) + 1;
  return defined({ year: toNumber(groups.year), month, day: toNumber(groups.day) });
}

function quarterly(groups: Groups): DateParts {
  return defined({
    year: toNumber(groups.year ?? groups.year2),
    quarter: toNumber(groups.quarter ?? groups.quarter2),
  });
}

function isPlausible({ month, day }: DateParts): boolean {
  return (
    (month === undefined || (month >= 1 && month <= 12)) &&
    (day === undefined || (day >= 1 && day <= 31))
  );
}

function agree(a: number | undefined, b: number | undefined): boolean {
  return a === undefined || b === undefined || a === b;
}

function toNumber(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits);
}

function defined(parts: Record<string, number | undefined>): DateParts {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
