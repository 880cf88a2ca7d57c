import { DAY_MS, type Instant, toIso } from "../model/instant.ts";
import type { JsonObject } from "../model/json.ts";
import type { IncomingMemory } from "./incoming.ts";

/** Times of what has happened. Validity and expiry may well lie ahead. */
const PAST_TIMES = [
  "createdAt",
  "lastUsedAt",
  "lastReviewedAt",
  "promotedAt",
  "archivedAt",
] as const;

/**
 * Sets times that lie more than a day ahead (a clock once set wrong, milliseconds taken for seconds) to now, keeping what the file said
 * in `extra.original_times`. A day is left alone: clocks differ, and so do readings of times without a zone.
 */
export function clampTimes(
  memory: IncomingMemory,
  now: Instant,
): { readonly memory: IncomingMemory; readonly isClamped: boolean } {
  const ahead = PAST_TIMES.filter((field) => (memory[field] ?? now) > now + DAY_MS);
  if (ahead.length === 0) return { memory, isClamped: false };
  const original: JsonObject = Object.fromEntries(
    ahead.map((field) => [field, toIso(memory[field] ?? now)]),
  );
  const storedExtra = { ...(memory.storedExtra ?? memory.extra), original_times: original };
  const clamped = Object.fromEntries(ahead.map((field) => [field, now]));
  return { memory: { ...memory, ...clamped, storedExtra }, isClamped: true };
}
