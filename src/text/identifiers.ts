import { maskBlobs, maskSpans } from "./mask.ts";
import { matchSpans, type Span } from "./spans.ts";
import { findUnit } from "./units.ts";

export type IdentifierKind =
  | "url"
  | "email"
  | "path"
  | "version"
  | "phone"
  | "uuid"
  | "hash"
  | "code"
  | "letter";

/** A name that a machine reads: one different character makes it another thing. */
export interface Identifier extends Span {
  readonly kind: IdentifierKind;
  /** The comparison form: versions without "v", URLs without a closing slash, the rest as written or in lower case. */
  readonly value: string;
}

/** URLs, e-mail addresses, paths, versions, phone numbers, hashes, part numbers ("A100", "us-east-1") and lettered things ("garage B"). */
export function extractIdentifiers(text: string): readonly Identifier[] {
  // Most texts have none, and the patterns below are slow to find that out.
  const mayHaveSome = /[\d/\\@]|\w\.\w|\p{L}{3}\s\p{Lu}\b/u.test(text);
  if (!mayHaveSome) return [];
  const found: Identifier[] = [];
  let rest = maskBlobs(text);
  for (const { kind, sign, pattern } of FORMS) {
    if (!sign.test(rest)) continue;
    const before = found.length;
    for (const span of matchSpans(rest, pattern)) {
      if (!isMeasure(kind, span.text))
        found.push({ ...span, kind, value: comparisonForm(kind, span.text) });
    }
    if (found.length > before) rest = maskSpans(rest, found);
  }
  return found.sort((a, b) => a.start - b.start);
}

/** "3.11" and "3.11.4" may be the same version: one goes on where the other stops. */
export function mayBeSameVersion(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}.`) || b.startsWith(`${a}.`);
}

interface Form {
  readonly kind: IdentifierKind;
  /** What each match holds: quick to look for, where the pattern is slow to find nothing. */
  readonly sign: RegExp;
  readonly pattern: RegExp;
}

const FORMS: readonly Form[] = [
  {
    kind: "url",
    sign: /:\/\//,
    pattern:
      /\b(?:https?|wss?|ftp|s3|ssh|git|postgres(?:ql)?|mysql|redis|mongodb(?:\+srv)?):\/\/[^\s<>"'`)\]]*[\w/-]/giu,
  },
  { kind: "email", sign: /@/, pattern: /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/gu },
  {
    kind: "uuid",
    sign: /-/,
    pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/giu,
  },
  {
    kind: "version",
    sign: /v\d|\d\.\d|versions?\s\d/,
    pattern:
      /\bv\d+(?:\.\d+)*(?:-[\w.]*\w)?\b|\b\d+\.\d+\.\d+(?:\.\d+)*(?:-[\w.]*\w)?\b|(?<=\bversions?\s)\d+(?:\.\d+)*\b|(?<=\b[A-Z][\w+#.]*\s)\d{1,3}\.\d{1,3}(?![\w%,]|\.\d|\s*(?:%|[a-z]*(?:km|kg|mg|euros?|dollars?|percent|million|billion|hours?|minutes?)\b))/gu,
  },
  {
    kind: "path",
    sign: /[/\\]|\.[a-z]/,
    pattern:
      /(?<![\w/.])(?:~|\.{1,2})?\/(?:[\w.@*-]+\/)*[\w.@*-]*[\w*]\/?|\b[\w.-]+(?:\/[\w.@-]+)*\/[\w.-]+\.\w{1,6}\b|\b[A-Z]:\\[\w\\.-]+|\b[\w-]+\.(?:tsx?|jsx?|mjs|cjs|py|rb|rs|go|java|kt|c|h|cpp|cs|sh|ya?ml|json|toml|md|txt|csv|sql|html|css|ini|cfg|conf|env|lock|xml|pdf|docx?|xlsx?|pem|log)\b/gu,
  },
  {
    kind: "hash",
    sign: /[0-9a-f]{7}/,
    pattern: /\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/gu,
  },
  {
    kind: "phone",
    sign: /\+\d|\d{3}-\d/,
    pattern: /(?<![\w.])\+\d[\d\s().-]{6,16}\d\b|\b\d{3}-\d{3,4}(?:-\d{4})?\b/gu,
  },
  {
    kind: "code",
    sign: /[A-Za-z_./-]\d|\d[A-Za-z_./-]|#\d/,
    pattern:
      /(?<![\w.])(?=[\w./-]*\d)(?=[\w./-]*[A-Za-z])[A-Za-z0-9][\w]*(?:[-_/][\w]+)*\b|#\d+\b/gu,
  },
  {
    kind: "letter",
    sign: /\s[A-Z]\b/,
    pattern: /(?<=\b(?!And\b|The\b)[A-Za-z]{3,}\s)(?!I\b|A\b)[A-Z]\b(?![.'+#&-]\w|[+#])/gu,
  },
];

// "10mg", "3rd", "12k", "9am", "3x", "twenty-2": numbers with a unit, which `extractQuantities` reads.
const NUMBER_WITH_SUFFIX = /^[$€£]?\d+(?:[.,]\d+)*-?(?:st|nd|rd|th|k|m|bn|x|am|pm|s|d|h)?$/iu;

function isMeasure(kind: IdentifierKind, text: string): boolean {
  if (kind !== "code") return false;
  if (NUMBER_WITH_SUFFIX.test(text)) return true;
  const unit = /^\d+-?(?<unit>[A-Za-zµμ]+)$/u.exec(text)?.groups?.unit;
  // "2-wheeled", "10-year-old": a number in an ordinary compound word.
  return (unit !== undefined && findUnit(unit) !== undefined) || /^\d+(?:-[a-z]{2,})+$/u.test(text);
}

function comparisonForm(kind: IdentifierKind, text: string): string {
  switch (kind) {
    case "version":
      return text.replace(/^v/iu, "").toLowerCase();
    case "url":
      return text.replace(/\/$/u, "");
    case "phone":
      return text.replace(/[^\d+]/gu, "");
    case "path":
      return text;
    default:
      return text.toLowerCase();
  }
}
