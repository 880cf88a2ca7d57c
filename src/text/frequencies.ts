import { maskSpans } from "./mask.ts";
import { type Span, spanOf } from "./spans.ts";

/** How often something happens. */
export interface FrequencyMention extends Span {
  readonly timesPerDay: number;
}

export function extractFrequencies(text: string): FrequencyMention[] {
  if (!/ly\b|every|each|\ban?\b|per|\//iu.test(text)) return [];
  const found: FrequencyMention[] = [];
  let rest = text;
  for (const form of FREQUENCY_FORMS) {
    found.push(
      ...Array.from(rest.matchAll(form), (match) => ({
        ...spanOf(match),
        timesPerDay: rateOf(match.groups ?? {}),
      })),
    );
    rest = maskSpans(rest, found);
  }
  return found.sort((a, b) => a.start - b.start);
}

function rateOf(groups: Readonly<Record<string, string | undefined>>): number {
  const lower = (name: string) => groups[name]?.toLowerCase();
  const adverb = lower("adverb");
  if (adverb !== undefined) return ADVERBS.get(adverb) ?? 0;
  const days = PERIODS.get(lower("single") ?? lower("period") ?? "") ?? 1;
  const every = lower("every");
  if (every !== undefined) return 1 / (countOf(every) * days);
  return countOf(lower("times") ?? lower("times2") ?? "once") / days;
}

function countOf(word: string): number {
  return COUNTS.get(word) ?? Number(word);
}

const ADVERBS = new Map([
  ["hourly", 24],
  ["daily", 1],
  ["nightly", 1],
  ["weekly", 1 / 7],
  ["biweekly", 1 / 14],
  ["fortnightly", 1 / 14],
  ["monthly", 1 / 30],
  ["quarterly", 1 / 91],
  ["yearly", 1 / 365],
  ["annually", 1 / 365],
]);
const PERIODS = new Map([
  ["second", 1 / 86400],
  ["minute", 1 / 1440],
  ["hour", 1 / 24],
  ["day", 1],
  ["night", 1],
  ["morning", 1],
  ["evening", 1],
  ["afternoon", 1],
  ["week", 7],
  ["month", 30],
  ["quarter", 91],
  ["year", 365],
]);
const COUNTS = new Map([
  ["once", 1],
  ["twice", 2],
  ["thrice", 3],
  ["two", 2],
  ["three", 3],
  ["four", 4],
  ["five", 5],
  ["six", 6],
  ["seven", 7],
  ["other", 2],
  ["second", 2],
  ["third", 3],
]);
const PERIOD = `(?<period>${[...PERIODS.keys()].join("|")})s?`;
const FREQUENCY_FORMS: readonly RegExp[] = [
  new RegExp(`\\b(?<adverb>${[...ADVERBS.keys()].join("|")})\\b`, "giu"),
  new RegExp(
    `\\b(?:(?<times>once|twice|thrice)|(?<times2>\\d+|two|three|four|five|six|seven)\\s*(?:x|times))\\s+(?:a|an|per|each|every|/)\\s*${PERIOD}\\b`,
    "giu",
  ),
  new RegExp(
    `\\bevery\\s+(?<every>\\d+|other|second|third|two|three|four|five|six)\\s+${PERIOD}\\b`,
    "giu",
  ),
  new RegExp(`\\b(?:every|each)\\s+(?<single>${[...PERIODS.keys()].join("|")})\\b`, "giu"),
];
