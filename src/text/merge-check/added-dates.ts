/**
 * The sentence without the dates that a merge put behind relative ones; undefined where one of them is not the day that
 * the phrase before it meant at `createdAt` (milliseconds, days in UTC).
 */
export function removeDates(unit: string, createdAt: number): string | undefined {
  const areRight = [...unit.matchAll(ADDED)].every((match) =>
    isRight(match.groups ?? {}, createdAt),
  );
  return areRight ? unit.replace(ADDED, "$<phrase>") : undefined;
}

/** Whether the sentence has a relative date that means one certain day and has no date behind it. */
export function hasUndatedDay(unit: string): boolean {
  return CERTAIN.test(unit.replace(ADDED, ""));
}

/** The day of a moment, counted from the epoch in UTC. */
export function dayOf(createdAt: number): number {
  return Math.floor(createdAt / DAY_MS);
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const NUMBERS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];
/** "next Friday" and "in two weeks" leave room for more than one day, so no date is asked of them. */
const CERTAIN =
  /\b(?:yesterday|tomorrow|today|tonight|last night|\d{1,3} days? ago|(?:a|two|three|four|five|six) days? ago)\b/iu;
const PHRASE = [
  "the day (?:before yesterday|after tomorrow)",
  "(?:yesterday|tomorrow)(?: (?:morning|afternoon|evening|night))?",
  "today|tonight|last night|this (?:morning|afternoon|evening)",
  `(?:\\d{1,3}|an?|${NUMBERS.join("|")}) (?:days?|weeks?) ago`,
  `in (?:\\d{1,3}|an?|${NUMBERS.join("|")}) (?:days?|weeks?)(?: time)?`,
  `(?:last|this|next) (?:${WEEKDAYS.join("|")})`,
].join("|");
const ADDED = new RegExp(`\\b(?<phrase>${PHRASE}) \\((?<date>\\d{4}-\\d{2}-\\d{2})\\)`, "giu");

function isRight(
  { phrase = "", date }: Readonly<Record<string, string | undefined>>,
  createdAt: number,
): boolean {
  const today = dayOf(createdAt);
  return offsetsOf(phrase.toLowerCase(), (today + 4) % 7).some(
    (offset) => isoDay(today + offset) === date,
  );
}

/** Days from today that the phrase may mean; day 0 of the epoch was a Thursday, so `weekday` 0 is Sunday. */
function offsetsOf(phrase: string, weekday: number): readonly number[] {
  if (phrase.startsWith("the day")) return [phrase.includes("before") ? -2 : 2];
  if (phrase.startsWith("yesterday") || phrase === "last night") return [-1];
  if (phrase.startsWith("tomorrow")) return [1];
  const [first = "", second = ""] = phrase.replace(/^in /u, "").split(" ");
  const named = WEEKDAYS.indexOf(second);
  if (named >= 0) return weekdayOffsets(first, (named - weekday + 7) % 7);
  if (!/ago$|^in /u.test(phrase)) return [0];
  const count = /^\d/u.test(first) ? Number(first) : Math.max(1, NUMBERS.indexOf(first));
  const days = count * (second.startsWith("week") ? 7 : 1);
  return [phrase.endsWith("ago") ? -days : days];
}

function weekdayOffsets(which: string, ahead: number): readonly number[] {
  if (which === "last") return [ahead - 7];
  return which === "this" ? [ahead] : [ahead === 0 ? 7 : ahead];
}

function isoDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
