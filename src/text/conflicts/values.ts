import { type DateMention, mayBeSameDate } from "../dates.ts";
import type { FrequencyMention } from "../frequencies.ts";
import { extractIdentifiers, type Identifier, mayBeSameVersion } from "../identifiers.ts";
import { maskSpans } from "../mask.ts";
import { isSameAmount, type Quantity, readQuantities } from "../quantities.ts";
import type { Span } from "../spans.ts";
import { type ClockMention, extractTimes, mayBeSameClock, type WeekdayMention } from "../times.ts";
import type { ConflictKind } from "./conflict.ts";

/** Something exact in a text: a number, day, hour, version or name for machines. */
export type Value =
  | { readonly type: "quantity"; readonly span: Span; readonly quantity: Quantity }
  | { readonly type: "date"; readonly span: Span; readonly date: DateMention }
  | { readonly type: "clock"; readonly span: Span; readonly clock: ClockMention }
  | { readonly type: "weekday"; readonly span: Span; readonly weekday: WeekdayMention }
  | { readonly type: "frequency"; readonly span: Span; readonly frequency: FrequencyMention }
  | { readonly type: "identifier"; readonly span: Span; readonly identifier: Identifier };

export function readValues(text: string): readonly Value[] {
  const { dates, clocks, weekdays, frequencies } = extractTimes(text);
  const afterTimes = maskSpans(text, [...dates, ...clocks, ...frequencies]);
  const identifiers = extractIdentifiers(afterTimes);
  const quantities = readQuantities(maskSpans(afterTimes, identifiers));
  return [
    ...quantities.map((quantity): Value => ({ type: "quantity", span: quantity, quantity })),
    ...dates.map((date): Value => ({ type: "date", span: date, date })),
    ...clocks.map((clock): Value => ({ type: "clock", span: clock, clock })),
    ...joinWeekdays(weekdays),
    ...frequencies.map((frequency): Value => ({ type: "frequency", span: frequency, frequency })),
    ...identifiers.map(
      (identifier): Value => ({ type: "identifier", span: identifier, identifier }),
    ),
  ].sort((a, b) => a.span.start - b.span.start);
}

/** Values of one group can take each other's place; those of different groups measure different things. */
export function groupOf(value: Value): string {
  switch (value.type) {
    case "quantity":
      return `quantity ${value.quantity.dimension}`;
    case "identifier":
      return `identifier ${value.identifier.kind}`;
    default:
      return value.type;
  }
}

export function conflictKindOf(value: Value): ConflictKind {
  switch (value.type) {
    case "quantity":
      return value.quantity.dimension === "duration" ? "duration" : "quantity";
    case "date":
    case "weekday":
      return "date";
    case "clock":
      return "clock";
    case "frequency":
      return "quantity";
    case "identifier":
      return value.identifier.kind === "version" ? "version" : "identifier";
    default:
      return unreachable(value);
  }
}

/** Whether the two may be one value written in two ways. */
export function isSameValue(a: Value, b: Value): boolean {
  switch (a.type) {
    case "quantity":
      return b.type === a.type && isSameQuantity(a.quantity, b.quantity);
    case "date":
      return b.type === a.type && mayBeSameDate(a.date, b.date);
    case "clock":
      return b.type === a.type && mayBeSameClock(a.clock, b.clock);
    case "weekday":
      return b.type === a.type && a.weekday.days.join() === b.weekday.days.join();
    case "frequency":
      return b.type === a.type && isSameRate(a.frequency, b.frequency);
    case "identifier":
      return b.type === a.type && isSameIdentifier(a.identifier, b.identifier);
    default:
      return unreachable(a);
  }
}

/** What the value counts or labels, where that is known. */
export function subjectOfValue(value: Value): string | undefined {
  return value.type === "quantity" ? value.quantity.of : undefined;
}

/** All days named, as one value: "Monday and Tuesday" is "Monday to Tuesday". */
function joinWeekdays(mentions: readonly WeekdayMention[]): Value[] {
  const [first] = mentions;
  if (first === undefined) return [];
  const days = [...new Set(mentions.flatMap((mention) => mention.days))].sort();
  return [{ type: "weekday", span: first, weekday: { ...first, days } }];
}

function isSameQuantity(a: Quantity, b: Quantity): boolean {
  return a.dimension === b.dimension && a.unit === b.unit && isSameAmount(a, b);
}

function isSameRate(a: FrequencyMention, b: FrequencyMention): boolean {
  const ratio = a.timesPerDay / b.timesPerDay;
  return ratio > 1 - RATE_TOLERANCE && ratio < 1 + RATE_TOLERANCE;
}

/** "four times a month" and "weekly" are the same habit. */
const RATE_TOLERANCE = 0.1;

function isSameIdentifier(a: Identifier, b: Identifier): boolean {
  if (a.kind === "version" && b.kind === "version") return mayBeSameVersion(a.value, b.value);
  if (a.kind === "hash" && b.kind === "hash")
    return a.value.startsWith(b.value) || b.value.startsWith(a.value);
  return a.kind === b.kind && a.value === b.value;
}

function unreachable(value: never): never {
  throw new TypeError(`unknown value ${JSON.stringify(value)}`);
}
