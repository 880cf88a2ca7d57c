import { countedWord } from "./counted-word.ts";
import { extractIdentifiers } from "./identifiers.ts";
import { maskBlobs, maskSpans } from "./mask.ts";
import { plainPunctuation } from "./normalize.ts";
import { NUMBER_WORDS_PATTERN, parseNumberWords } from "./number-words.ts";
import { type Span, spanOf } from "./spans.ts";
import { extractTimes } from "./times.ts";
import { type Dimension, findUnit, type Unit } from "./units.ts";

/** A number with what it measures. */
export interface Quantity extends Span {
  readonly dimension: Dimension;
  /** In the base unit: seconds, metres, grams, bytes, litres, °C; money in its own currency. */
  readonly value: number;
  /** Base unit or currency code; "" for counts. */
  readonly unit: string;
  /** Lemma of the word counted ("3 workers") or, where none follows, of the word before ("port 8080"). */
  readonly of?: string;
  /** "about", "roughly", "~". */
  readonly isApproximate: boolean;
}

/**
 * The quantities of a text: numbers in digits or words with units, currencies, percentages and ordinals. Numbers inside
 * dates, times of day, frequencies, versions and identifiers are not quantities: `extractTimes` and
 * `extractIdentifiers` give those.
 */
export function extractQuantities(text: string): readonly Quantity[] {
  const plain = maskBlobs(plainPunctuation(text));
  const { dates, clocks, frequencies } = extractTimes(plain);
  const rest = maskSpans(plain, [...dates, ...clocks, ...frequencies]);
  return readQuantities(maskSpans(rest, extractIdentifiers(rest)));
}

/** `extractQuantities` for a text in which times and identifiers are blanked out already. */
export function readQuantities(rest: string): readonly Quantity[] {
  if (!/\d/u.test(rest)) return readNumbers(rest, WORDS, readWords);
  const ratios = readRatios(rest);
  const inDigits = readNumbers(maskSpans(rest, ratios), DIGITS, readDigits);
  const inWords = readNumbers(maskSpans(rest, [...ratios, ...inDigits]), WORDS, readWords);
  return [...ratios, ...inDigits, ...inWords].sort((a, b) => a.start - b.start);
}

/** Whether two quantities of one dimension and unit are the same number, give or take a rounding. */
export function isSameAmount(a: Quantity, b: Quantity): boolean {
  const difference = Math.abs(a.value - b.value);
  const size = Math.max(Math.abs(a.value), Math.abs(b.value));
  const tolerance = a.isApproximate || b.isApproximate ? APPROXIMATE_TOLERANCE : EXACT_TOLERANCE;
  return difference <= size * tolerance;
}

/** "about 100" still means 105; beyond a tenth it is another number. */
const APPROXIMATE_TOLERANCE = 0.1;
/** Conversion error only: 1 GB and 1,024 MB, 98.6 °F and 37 °C. */
const EXACT_TOLERANCE = 1e-3;

const CURRENCY_BEFORE = "(?:(?<currency>[$€£¥₹]|\\b(?:USD|EUR|GBP|JPY|CHF|INR|PLN)\\b)\\s?)?";
const UNIT_AFTER = "(?<gap>[\\s-]?)(?<unit>%|°[CF]?|[A-Za-zµμ€£$²]+(?:/(?:s|h))?²?)?";
const DIGITS = new RegExp(
  `${CURRENCY_BEFORE}(?<![\\w.,])(?<sign>(?<=^|[\\s(])[-+])?(?<digits>\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:\\.\\d+)?)(?<scale>(?:k|K|M|bn)\\b(?!\\w)|\\s+(?:thousand|million|billion|bn)\\b)?(?<ordinal>(?:st|nd|rd|th)\\b)?${UNIT_AFTER}`,
  "gu",
);
const WORDS = new RegExp(
  `(?<number>${NUMBER_WORDS_PATTERN}|\\b(?:${"second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(" ").join("|")})\\b|\\b(?:half|couple|pair)\\b)(?<gap>[\\s-]?)(?<unit>[A-Za-z]+)?`,
  "giu",
);
const RATIO = new RegExp(
  `(?<![\\w.,/])(?<part>\\d+(?:\\.\\d+)?|${NUMBER_WORDS_PATTERN})(?:\\s+out of\\s+(?:an?\\s+)?|\\s*/\\s*)(?<whole>[1-9]\\d*|${NUMBER_WORDS_PATTERN})(?![\\w/]|\\.\\d)`,
  "giu",
);
const ORDINALS =
  "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(
    " ",
  );
const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  thousand: 1e3,
  m: 1e6,
  million: 1e6,
  bn: 1e9,
  billion: 1e9,
};
const APPROXIMATELY =
  /(?:\b(?:about|around|roughly|approximately|approx\.?|circa|ca\.?|nearly|almost|some)|~|≈)\s*(?:[$€£]\s?)?$/iu;

type Groups = Readonly<Record<string, string | undefined>>;
interface Reading {
  readonly value: number;
  readonly unit: Unit | undefined;
  readonly isOrdinal: boolean;
  /** How much of the match is the quantity; the word after it may only be what is counted. */
  readonly length: number;
}

/** "5 out of 5", "3/5", "four in ten": one value, not two. */
function readRatios(text: string): Quantity[] {
  return Array.from(text.matchAll(RATIO), (match): Quantity => {
    const part = parseNumberWords(match.groups?.part ?? "") ?? Number(match.groups?.part);
    const whole = parseNumberWords(match.groups?.whole ?? "") ?? Number(match.groups?.whole);
    return {
      ...spanOf(match),
      dimension: "ratio",
      value: part / whole,
      unit: "",
      isApproximate: false,
    };
  });
}

function readNumbers(
  text: string,
  pattern: RegExp,
  read: (match: RegExpMatchArray, text: string) => Reading | undefined,
): Quantity[] {
  return Array.from(text.matchAll(pattern)).flatMap((match) => {
    const reading = read(match, text);
    return reading === undefined ? [] : [toQuantity(text, match, reading)];
  });
}

function toQuantity(text: string, match: RegExpMatchArray, reading: Reading): Quantity {
  const start = spanOf(match).start;
  const end = start + reading.length;
  const counted = countedWord(text, start, end);
  return {
    text: text.slice(start, end),
    start,
    end,
    dimension: reading.isOrdinal ? "ordinal" : (reading.unit?.dimension ?? "count"),
    value: reading.unit?.toBase(reading.value) ?? reading.value,
    unit: reading.unit?.base ?? "",
    isApproximate: APPROXIMATELY.test(text.slice(0, start)),
    ...(counted === undefined ? {} : { of: counted }),
  };
}

function readDigits(match: RegExpMatchArray, text: string): Reading {
  const groups: Groups = match.groups ?? {};
  const scale = groups.scale?.trim().toLowerCase() ?? "";
  const number = Number((groups.digits ?? "").replaceAll(",", "")) * (SCALES[scale] ?? 1);
  const after = groups.currency === undefined ? unitAfter(groups) : undefined;
  const unitLength =
    after === undefined ? (groups.gap ?? "").length + (groups.unit ?? "").length : 0;
  return {
    value: groups.sign === "-" ? -number : number,
    unit: after ?? findUnit(groups.currency ?? "") ?? unitOfRange(match, text),
    isOrdinal: groups.ordinal !== undefined,
    length: match[0].length - unitLength,
  };
}

/** In "£20-25" and "3 to 5 km" both ends of the range have the unit that is written once. */
function unitOfRange(match: RegExpMatchArray, text: string): Unit | undefined {
  const start = match.index ?? 0;
  const before = RANGE_BEFORE.exec(text.slice(0, start))?.groups?.currency;
  const digits = match.groups?.digits ?? "";
  const after = RANGE_AFTER.exec(text.slice(text.indexOf(digits, start) + digits.length))?.groups
    ?.unit;
  return findUnit(before ?? after ?? "");
}

const RANGE_BEFORE = /(?<currency>[$€£¥₹])\s?[\d,.]+\s?(?:-|to|and)\s?$/u;
const RANGE_AFTER = /^\s?(?:-|to|and|or)\s?[\d,.]+\s?(?<unit>%|[A-Za-zµμ€£$]+)/u;

function unitAfter(groups: Groups): Unit | undefined {
  const written = groups.unit;
  if (written === undefined) return undefined;
  // "a 5m timeout" is minutes, "5 m of cable" is metres; "3 d" and "2 h" read the same either way.
  if (written === "m" && groups.gap === "") return findUnit("min");
  // A lone capital after a space is a label ("track 3 B"), not bytes or watts.
  if (/^[BWL]$/u.test(written) && groups.gap !== "") return undefined;
  return findUnit(written);
}

function readWords(match: RegExpMatchArray, text: string): Reading | undefined {
  const number = match.groups?.number?.toLowerCase() ?? "";
  const unitWord = match.groups?.unit?.toLowerCase();
  const found = unitWord === undefined ? undefined : findUnit(unitWord);
  // One-letter and other symbols are never written after a number word.
  const unit = found !== undefined && (unitWord?.length ?? 0) > 2 ? found : undefined;
  const length = unit === undefined ? number.length : match[0].length;
  const ordinal = ORDINALS.indexOf(number);
  if (ordinal > 0)
    return isTimeUnit(text, match, number)
      ? undefined
      : { value: ordinal, unit: undefined, isOrdinal: true, length: number.length };
  const value = wordValue(
    number,
    text.slice(0, match.index),
    text.slice((match.index ?? 0) + number.length),
  );
  return value === undefined ? undefined : { value, unit, isOrdinal: false, length };
}

/** "a second", "per second", "split second". */
function isTimeUnit(text: string, match: RegExpMatchArray, number: string): boolean {
  return (
    number === "second" &&
    /(?:\b(?:a|per|each|every|split|one)|\/)\s*$/iu.test(text.slice(0, match.index))
  );
}

function wordValue(number: string, before: string, after: string): number | undefined {
  if (number === "half") return /^\s+(?:of|an?|the)\b/iu.test(after) ? 0.5 : undefined;
  if (number === "couple" || number === "pair") return /^\s+of\b/iu.test(after) ? 2 : undefined;
  if (number === "one" && !isCountingOne(before, after)) return undefined;
  return parseNumberWords(number);
}

/** "one worker", "one hour"; not "the one", "one of them", "no one", "one must". */
function isCountingOne(before: string, after: string): boolean {
  return (
    !/\b(?:the|this|that|which|no|any|every|each|some|another|a)\s+$/iu.test(before) &&
    /^[\s-]+(?!of\b|another\b|must\b|can\b|should\b|is\b|was\b|has\b|day\b|who\b|that\b)[a-z]{3,}/iu.test(
      after,
    )
  );
}
