import { SlowwaveError } from "./errors.ts";

/** Milliseconds since 1970-01-01T00:00Z, an integer. Times are ISO strings at every edge and instants inside. */
export type Instant = number;

/** 0001-01-01 to 9999-12-31: what an ISO string of four-digit years can hold. */
export const MIN_INSTANT = -62_135_596_800_000;
export const MAX_INSTANT = 253_402_300_799_999;

export function isInstant(value: unknown): value is Instant {
  return Number.isInteger(value) && Number(value) >= MIN_INSTANT && Number(value) <= MAX_INSTANT;
}

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export function toIso(instant: Instant): string {
  return new Date(instant).toISOString();
}

/** Below this a number is taken as seconds: as milliseconds it would be before 1973-03-03, as seconds it is up to the year 5138. */
const SECONDS_BELOW = 100_000_000_000;

/**
 * Reads a time as people and files write it: ISO 8601 text (a date alone is UTC midnight; a time without a zone is UTC), or a number,
 * or digits, of seconds or milliseconds since 1970.
 * @throws SlowwaveError `input` naming `what` when it is none of these.
 */
export function parseInstant(value: unknown, what: string): Instant {
  const instant = typeof value === "string" ? fromText(value.trim()) : fromNumber(value);
  if (instant !== undefined && instant >= MIN_INSTANT && instant <= MAX_INSTANT) return instant;
  throw new SlowwaveError("input", `${what}: expected a time, got ${JSON.stringify(value)}`, {
    hint: "Use ISO 8601 (2026-03-02T09:30:00Z or 2026-03-02), or seconds or milliseconds since 1970.",
  });
}

function fromNumber(value: unknown): Instant | undefined {
  if (typeof value !== "number" || !Number.isFinite(value)) return undefined;
  return Math.round(Math.abs(value) < SECONDS_BELOW ? value * 1000 : value);
}

const ISO =
  /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

function fromText(text: string): Instant | undefined {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return fromNumber(Number(text));
  const match = ISO.exec(text);
  if (!match) return undefined;
  const zoned = match[1] === undefined && text.length > 10 ? `${text}Z` : text;
  const parsed = Date.parse(zoned.replace(" ", "T").replace(",", "."));
  return Number.isNaN(parsed) || !keepsDay(text, parsed, match[1]) ? undefined : parsed;
}

/** `Date.parse` rolls 2026-02-31 over to March; a day that does not exist is an error here. */
function keepsDay(text: string, parsed: Instant, zone: string | undefined): boolean {
  if (zone !== undefined && zone.toUpperCase() !== "Z") return true;
  return toIso(parsed).slice(0, 10) === text.slice(0, 10);
}
