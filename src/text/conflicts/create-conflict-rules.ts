import { normalizeText } from "../normalize.ts";
import { sentenceSpans } from "../sentences.ts";
import type { Span } from "../spans.ts";
import type { AntonymLexicon } from "./antonym-lexicon.ts";
import { findAntonymConflicts } from "./antonym-rule.ts";
import { type Conflict, isContradiction } from "./conflict.ts";
import { isReadable } from "./language.ts";
import { findNegationConflicts } from "./negation-rule.ts";
import { findOrderConflicts } from "./order-rule.ts";
import { type Pair, pairStatements, type Rule, type SpanSimilarity, wholeOf } from "./pair.ts";
import { areSuccessive } from "./periods.ts";
import { takesOneValue } from "./predicates.ts";
import { findQualifierDoubts } from "./qualifier-rule.ts";
import { findResidualDoubts } from "./residual-rule.ts";
import { findSlotConflicts } from "./slot-rule.ts";
import { findSpeakerConflicts } from "./speaker-rule.ts";
import { readStatement, type Statement } from "./statement.ts";
import { haveOtherSubjects } from "./subjects.ts";
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

export function createConflictRules({
  antonyms,
  spanSimilarity,
}: ConflictRulesOptions): ConflictRules {
  return {
    conflicts: (a, b) => {
      if (normalizeText(a) === normalizeText(b)) return [];
      if (!isReadable(a) || !isReadable(b)) return [unreadable(a, b)];
      const speakers = findSpeakerConflicts(a, b);
      const pairs = pairUp(a, b).map(([spanA, spanB]) =>
        pairStatements({
          a: readStatement(spanA),
          b: readStatement(spanB),
          antonyms,
          spanSimilarity,
        }),
      );
      // Exchanged speakers show as exchanged words as well; the first says it better.
      const found = speakers.length > 0 ? speakers : pairs.flatMap(judge);
      return [
        ...found.filter(isContradiction),
        ...found.filter((conflict) => !isContradiction(conflict)),
      ];
    },
  };
}

const RULES: readonly Rule[] = [
  findValueConflicts,
  findNegationConflicts,
  findAntonymConflicts,
  findOrderConflicts,
  findSlotConflicts,
];

function judge(pair: Pair): readonly Conflict[] {
  const found = RULES.flatMap((rule) => rule(pair));
  const claims = found.filter(isContradiction);
  if (claims.length > 0) {
    if (areSuccessive(pair.a.text, pair.b.text) && pair.difference.onlyA.length > 0)
      return [doubt(pair, "they speak of different periods")];
    if (haveOtherSubjects(pair.a, pair.b)) return judgeOtherSubjects(pair, claims);
    return claims;
  }
  if (haveOtherSubjects(pair.a, pair.b)) return [doubt(pair, "they are about different subjects")];
  const doubts =
    found.length > 0 ? found : [...findQualifierDoubts(pair), ...findResidualDoubts(pair)];
  return doubts.slice(0, 1);
}

/** Two people cannot both be the tech lead; both can have a birthday. */
function judgeOtherSubjects(pair: Pair, claims: readonly Conflict[]): readonly Conflict[] {
  const isExclusive =
    /\bthe\b/u.test(pair.a.text) && takesOneValue(pair.a.text) && takesOneValue(pair.b.text);
  const kept = claims.filter(
    ({ kind }) => kind === "word_order" || (kind === "slot" && isExclusive),
  );
  return kept.length > 0 ? kept : [doubt(pair, "they are about different subjects")];
}

function doubt(pair: Pair, reason: string): Conflict {
  return { kind: "unsure", a: wholeOf(pair.a), b: wholeOf(pair.b), confidence: 0.3, reason };
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

/** The pieces of two texts to compare: what is not in both, sentence by sentence where texts are long. */
function pairUp(a: string, b: string): readonly (readonly [Span, Span])[] {
  const [onlyA, onlyB] = withoutShared(sentenceSpans(a), sentenceSpans(b));
  const [firstA] = onlyA;
  const [firstB] = onlyB;
  if (firstA === undefined || firstB === undefined) return [];
  if (onlyA.length === 1 && onlyB.length === 1) return [[firstA, firstB]];
  return pairSentences({ a, b, onlyA, onlyB });
}

function withoutShared(a: readonly Span[], b: readonly Span[]): [readonly Span[], readonly Span[]] {
  const keys = (spans: readonly Span[]) => new Set(spans.map((span) => normalizeText(span.text)));
  const [inA, inB] = [keys(a), keys(b)];
  return [
    a.filter((span) => !inB.has(normalizeText(span.text))),
    b.filter((span) => !inA.has(normalizeText(span.text))),
  ];
}

interface Sentences {
  readonly a: string;
  readonly b: string;
  readonly onlyA: readonly Span[];
  readonly onlyB: readonly Span[];
}

function pairSentences({ a, b, onlyA, onlyB }: Sentences): readonly (readonly [Span, Span])[] {
  const isShort = onlyA.length + onlyB.length <= MAXIMUM_WHOLE;
  const whole = isShort ? [[cover(a, onlyA), cover(b, onlyB)] as const] : [];
  const linked = onlyA.flatMap((sentence) => {
    const statement = readStatement(sentence);
    return onlyB
      .filter((other) => shareTopic(statement, readStatement(other)))
      .map((other) => [sentence, other] as const);
  });
  return [...whole, ...linked];
}

/** Up to this many sentences in all, two texts are also compared as wholes: a rewording may cut sentences elsewhere. */
const MAXIMUM_WHOLE = 6;

function cover(text: string, spans: readonly Span[]): Span {
  const start = spans[0]?.start ?? 0;
  const end = spans.at(-1)?.end ?? text.length;
  return { text: text.slice(start, end), start, end };
}

function shareTopic(a: Statement, b: Statement): boolean {
  const [inA, inB] = [
    new Set(a.content.map((word) => word.meaning)),
    new Set(b.content.map((word) => word.meaning)),
  ];
  const shared = [...inA].filter((meaning) => inB.has(meaning)).length;
  return shared >= 1 && shared / Math.min(inA.size, inB.size) >= TOPIC_SHARE;
}

const TOPIC_SHARE = 0.5;
