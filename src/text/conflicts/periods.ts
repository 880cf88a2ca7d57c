import { type DateMention, extractDates } from "../dates.ts";

/**
 * Whether the two texts speak of periods that do not touch: "lived in Oslo from 2015 to 2018", "since 2020 lives in
 * Rome". Then the second follows the first, and both are true.
 */
export function areSuccessive(a: string, b: string): boolean {
  const [first, second] = [readPeriod(a), readPeriod(b)];
  if (first === undefined || second === undefined) return false;
  return first.to < second.from || second.to < first.from;
}

/** Months since year 0, both ends included. */
interface Period {
  readonly from: number;
  readonly to: number;
}

function readPeriod(text: string): Period | undefined {
  const dates = extractDates(text).filter(
    (date) => date.year !== undefined && date.day === undefined,
  );
  const [first, second] = dates;
  if (first === undefined || !PERIOD_PREPOSITION.test(text.slice(0, first.start))) return undefined;
  const span = monthsOf(first);
  const before = text.slice(0, first.start);
  if (/\b(?:since|after|starting|as of)\s+\(?$/iu.test(before))
    return { from: span.from, to: Number.POSITIVE_INFINITY };
  if (/\b(?:until|till|before|up to|through)\s+\(?$/iu.test(before))
    return { from: Number.NEGATIVE_INFINITY, to: span.to };
  const isRange =
    second !== undefined &&
    /^\s*(?:-|to|until|till|through|and)\s*$/iu.test(text.slice(first.end, second.start));
  return isRange ? { from: span.from, to: monthsOf(second).to } : span;
}

const PERIOD_PREPOSITION =
  /\b(?:in|since|from|between|until|till|during|before|after|as of|starting|through|up to)\s+\(?$|\($/iu;

function monthsOf({ year = 0, month }: DateMention): Period {
  const base = year * 12;
  return month === undefined
    ? { from: base, to: base + 11 }
    : { from: base + month - 1, to: base + month - 1 };
}
