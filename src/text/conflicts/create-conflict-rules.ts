import { remembering } from "../remembering.ts";
import type { Span } from "../spans.ts";
import type { AntonymLexicon } from "./antonym-lexicon.ts";
import { findAntonymConflicts } from "./antonym-rule.ts";
import { type Conflict, isClaim } from "./conflict.ts";
import { isReadable } from "./language.ts";
import { findNegationConflicts } from "./negation-rule.ts";
import { findOrderConflicts } from "./order-rule.ts";
import { type Pair, pairStatements, type Rule, type SpanSimilarity, wholeOf } from "./pair.ts";
import { areSuccessive } from "./periods.ts";
import { takesOneValue } from "./predicates.ts";
import { findQualifierDoubts } from "./qualifier-rule.ts";
import { findResidualDoubts } from "./residual-rule.ts";
import { pairSentences, type SpanPair } from "./sentence-pairs.ts";
import { findSlotConflicts } from "./slot-rule.ts";
import { findSpeakerConflicts } from "./speaker-rule.ts";
import { createStatementReader, type StatementReader } from "./statement.ts";
import { haveOtherSubjects } from "./subjects.ts";
import { findOtherSymbols } from "./symbol-rule.ts";
import { findValueConflicts } from "./value-rule.ts";

export interface ConflictRulesOptions {
  readonly antonyms: AntonymLexicon;
  /**
   * Tells replacements that mean the same from those that do not. Without it every replaced word forbids a merge, and a
   * replaced word that is in no list is not claimed to contradict.
   */
  readonly spanSimilarity?: SpanSimilarity;
}

export interface ConflictRules {
  /**
   * Why two texts must not be merged unseen, contradictions first. Empty means that they say the same, or that one only
   * adds to the other. Pure, and symmetric up to the order of the spans.
   */
  readonly conflicts: (a: string, b: string) => readonly Conflict[];
}

export function createConflictRules(options: ConflictRulesOptions): ConflictRules {
  const read = createStatementReader();
  const canRead = remembering(isReadable, MOST_TEXTS);
  const compareInOrder = (a: string, b: string) => compare({ a, b, read, canRead, ...options });
  return {
    // Alignment depends on which text comes first, so the order is fixed: both ways round get the same answer.
    conflicts: (a, b) => (a <= b ? compareInOrder(a, b) : compareInOrder(b, a).map(turnRound)),
  };
}

const MOST_TEXTS = 20_000;

interface Comparison extends ConflictRulesOptions {
  readonly a: string;
  readonly b: string;
  readonly read: StatementReader;
  readonly canRead: (text: string) => boolean;
}

function compare({
  a,
  b,
  read,
  canRead,
  antonyms,
  spanSimilarity,
}: Comparison): readonly Conflict[] {
  const speakers = findSpeakerConflicts(a, b);
  // Exchanged speakers show as exchanged words as well; the first says it better.
  if (speakers.length > 0) return speakers;
  const { whole, sentences } = pairSentences(a, b, read);
  const spans = whole === undefined ? sentences : [whole];
  if (spans.length === 0) return [];
  if (!canRead(a) || !canRead(b)) return [unreadable(a, b)];
  const symbols = findOtherSymbols(a, b);
  if (symbols !== undefined) return [otherSymbols(symbols)];
  const pair = ([spanA, spanB]: SpanPair) =>
    pairStatements({ a: read(spanA), b: read(spanB), antonyms, spanSimilarity });
  const found = [
    ...spans.map(pair).flatMap(judge),
    ...(whole === undefined ? [] : sentences.map(pair).flatMap(judgePart)),
  ];
  return [...found.filter(isClaim), ...found.filter((conflict) => !isClaim(conflict))];
}

function turnRound(conflict: Conflict): Conflict {
  return { ...conflict, a: conflict.b, b: conflict.a };
}

const RULES: readonly Rule[] = [
  findValueConflicts,
  findNegationConflicts,
  findAntonymConflicts,
  findOrderConflicts,
  findSlotConflicts,
];

/** What two single sentences show that whole texts may hide: the rest of a sentence may stand elsewhere in the other text. */
const PART_RULES: readonly Rule[] = [findValueConflicts, findAntonymConflicts, findSlotConflicts];

function judgePart(pair: Pair): readonly Conflict[] {
  if (haveOtherSubjects(pair.a, pair.b)) return [];
  return PART_RULES.flatMap((rule) => rule(pair)).filter(
    (conflict) => !isClaim(conflict) || isOnOneTopic(pair, conflict),
  );
}

function judge(pair: Pair): readonly Conflict[] {
  const found = RULES.flatMap((rule) => rule(pair));
  const claims = found.filter((conflict) => isClaim(conflict) && isOnOneTopic(pair, conflict));
  if (haveOtherSubjects(pair.a, pair.b)) return judgeOtherSubjects(pair, claims);
  if (found.some(isClaim) && areSuccessions(pair))
    return [distinction(pair, "they speak of different periods")];
  if (claims.length > 0) return claims;
  const [weakest] = found;
  if (weakest !== undefined) return [isClaim(weakest) ? doubt(pair, weakest.reason) : weakest];
  return [...findQualifierDoubts(pair), ...findResidualDoubts(pair)].slice(0, 1);
}

/** A value that held in one period and another that held in the next; where only the date differs, it is the date that is wrong. */
function areSuccessions({ a, b, difference }: Pair): boolean {
  return difference.onlyA.length > 0 && areSuccessive(a.text, b.text);
}

/** Texts with little in common may well differ in a number; that is no contradiction. A denial names what it denies. */
function isOnOneTopic({ difference }: Pair, { kind }: Conflict): boolean {
  return kind === "negation" || difference.overlap >= MINIMUM_OVERLAP;
}

const MINIMUM_OVERLAP = 0.3;

/** Two people cannot both be the tech lead; both can have a birthday. */
function judgeOtherSubjects(pair: Pair, claims: readonly Conflict[]): readonly Conflict[] {
  const isExclusive =
    /\bthe\b/u.test(pair.a.text) && takesOneValue(pair.a.text) && takesOneValue(pair.b.text);
  const kept = claims.filter(
    ({ kind }) => kind === "word_order" || (kind === "slot" && isExclusive),
  );
  return kept.length > 0 ? kept : [distinction(pair, "they are about different subjects")];
}

function distinction(pair: Pair, reason: string): Conflict {
  return { ...doubt(pair, reason), kind: "distinct" };
}

function doubt(pair: Pair, reason: string): Conflict {
  return { kind: "unsure", a: wholeOf(pair.a), b: wholeOf(pair.b), confidence: 0.3, reason };
}

function otherSymbols([a, b]: readonly [Span, Span]): Conflict {
  return {
    kind: "unsure",
    a,
    b,
    confidence: 0.3,
    reason: `only one text has ${a.text}, only the other ${b.text}`,
  };
}

function unreadable(a: string, b: string): Conflict {
  const whole = (text: string): Span => ({ text, start: 0, end: text.length });
  return {
    kind: "unsure",
    a: whole(a),
    b: whole(b),
    confidence: 0.2,
    reason: "the texts differ and are not both in English, which is all the rules can read",
  };
}
