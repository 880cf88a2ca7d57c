import { suggest } from "../config/suggest.ts";
import { SlowwaveError } from "../model/errors.ts";

/** Own parsers: `parseInt` reads `10abc` as 10 and, handed to commander as it is, a previous value as its base. */

export interface NumberRange {
  readonly min: number;
  readonly max?: number;
}

/** Digits alone. */
export function wholeNumber(option: string, range: NumberRange): (text: string) => number {
  return (text) => inRange({ option, text, range, pattern: /^\d+$/, what: "a whole number" });
}

/** Digits with an optional fraction. */
export function decimalNumber(option: string, range: NumberRange): (text: string) => number {
  return (text) => inRange({ option, text, range, pattern: /^\d+(?:\.\d+)?$/, what: "a number" });
}

/** `HH:MM`, from 00:00 to 23:59. */
export function timeOfDay(
  option: string,
): (text: string) => { readonly hour: number; readonly minute: number } {
  return (text) => {
    const [, hour, minute] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
    if (hour !== undefined) return { hour: Number(hour), minute: Number(minute) };
    throw new SlowwaveError(
      "usage",
      `${option}: expected a time from 00:00 to 23:59, got ${JSON.stringify(text)}`,
    );
  };
}

function inRange(input: {
  readonly option: string;
  readonly text: string;
  readonly range: NumberRange;
  readonly pattern: RegExp;
  readonly what: string;
}): number {
  const { option, text, range } = input;
  const max = range.max ?? Number.MAX_SAFE_INTEGER;
  const value = input.pattern.test(text) ? Number(text) : Number.NaN;
  if (value >= range.min && value <= max) return value;
  const bounds =
    range.max === undefined ? `, ${range.min} or more` : ` from ${range.min} to ${range.max}`;
  throw new SlowwaveError(
    "usage",
    `${option}: expected ${input.what}${bounds}, got ${JSON.stringify(text)}`,
    { hint: "Write it in plain digits, for example 12." },
  );
}

/** One of a few words, with the nearest one suggested. */
export function oneOf<T extends string>(option: string, words: readonly T[]): (text: string) => T {
  return (text) => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const near = suggest(text, words);
    throw new SlowwaveError(
      "usage",
      `${option}: expected ${words.join(", ")}, got ${JSON.stringify(text)}`,
      near === undefined ? {} : { hint: `Did you mean ${near}?` },
    );
  };
}

/** Several of a few words, separated by commas or given one by one. */
export function someOf<T extends string>(
  option: string,
  words: readonly T[],
): (text: string, previous?: readonly T[]) => readonly T[] {
  const parse = oneOf(option, words);
  return (text, previous = []) => [...previous, ...listed(text).map((word) => parse(word))];
}

/** Words separated by commas or given one by one. */
export function listOf(text: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, ...listed(text)];
}

function listed(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}
