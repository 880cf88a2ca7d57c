import { type Span, spanOf } from "../spans.ts";
import type { Conflict } from "./conflict.ts";
import { type Pair, placeIn, wholeOf } from "./pair.ts";
import type { Statement } from "./statement.ts";
import type { Word } from "./words.ts";

/**
 * One text takes back part of what the other says without denying it: "except", "only if", "wants to", "might", or the
 * past tense. Not a contradiction, but not the same either.
 */
export function findQualifierDoubts(pair: Pair): readonly Conflict[] {
  const inA = qualifierMissingIn(pair.a, pair.b);
  if (inA !== undefined) return [doubt(inA.text, placeIn(pair.a, inA), wholeOf(pair.b))];
  const inB = qualifierMissingIn(pair.b, pair.a);
  if (inB !== undefined) return [doubt(inB.text, wholeOf(pair.a), placeIn(pair.b, inB))];
  return tenseDoubt(pair);
}

const QUALIFIERS: readonly RegExp[] = [
  /\b(?:except|excluding|unless|apart from|other than)\b/iu,
  /\b(?:only|solely|exclusively|just)\b/iu,
  /\b(?:if|when|whenever|until|till|while)\b/iu,
  /\b(?:[Mm]ight|may|[Cc]ould|[Mm]aybe|[Pp]erhaps|[Pp]ossibly|[Pp]robably|likely|supposedly|reportedly|allegedly|[Aa]pparently|seems?|guess)\b/u,
  /\b(?:wants?|wanted|wish(?:es)?|hop(?:es?|ing)|plans?|planned|planning|intends?|consider(?:s|ing)?|thinking about|would like|going to|tries|trying|tried|attempt(?:s|ed)?|propos(?:es?|ed|al)|suggest(?:s|ed)?|needs? to|asked|dreams?)\b/iu,
  /\b(?:almost|nearly|partly|partially|mostly|sometimes|occasionally|some of|half of|at least|at most|up to|less than|more than|fewer than|over|under)\b/iu,
  /\b(?:must|have to|has to|required|should)\b/iu,
  /\b(?:said|says|thinks?|believes?|claims?|heard|told)\b/iu,
];

function qualifierMissingIn(statement: Statement, other: Statement): Span | undefined {
  for (const pattern of QUALIFIERS) {
    const match = pattern.exec(statement.text);
    if (match !== null && !pattern.test(other.text)) return spanOf(match);
  }
  return undefined;
}

function doubt(text: string, a: Span, b: Span): Conflict {
  return { kind: "unsure", a, b, confidence: 0.3, reason: `only one text says "${text}"` };
}

/** "was the lead" and "is the lead", "lived in Oslo" and "lives in Oslo". */
function tenseDoubt(pair: Pair): Conflict[] {
  const onlyA = finiteWordsMissingIn(pair.a, pair.b);
  const onlyB = finiteWordsMissingIn(pair.b, pair.a);
  for (const a of onlyA) {
    const b = onlyB.find((word) => word.lemma === a.lemma && isPast(word.fold) !== isPast(a.fold));
    if (b === undefined) continue;
    const reason = `"${a.text}" and "${b.text}" speak of different times`;
    return [
      { kind: "unsure", a: placeIn(pair.a, a), b: placeIn(pair.b, b), confidence: 0.3, reason },
    ];
  }
  return [];
}

/** Participles go with any tense: "is rated", "moderately priced", "running". */
function finiteWordsMissingIn({ words }: Statement, other: Statement): readonly Word[] {
  return words.filter((word, index) => {
    const before = words[index - 1]?.fold ?? "";
    const isParticiple =
      word.fold.endsWith("ing") || NON_FINITE.has(word.fold) || BEFORE_PARTICIPLE.test(before);
    return !isParticiple && !other.words.some((candidate) => candidate.fold === word.fold);
  });
}

const NON_FINITE = new Set(["be", "been", "being"]);
const BEFORE_PARTICIPLE =
  /^(?:is|are|was|were|be|been|being|am|has|have|had|get|gets|got|to|.*ly)$/u;

function isPast(word: string): boolean {
  return PAST_FORMS.has(word) || /(?:[^e]ed|eed)$/u.test(word);
}

const PAST_FORMS = new Set(
  "was were had did went ate ran bought left stood sat slept wrote spoke took gave made got saw knew said told thought found held kept led lost met paid sent sold taught wore won drove rode flew began built broke chose".split(
    " ",
  ),
);
