import type { Span } from "../spans.ts";
import type { Conflict } from "./conflict.ts";
import { type Pair, wholeOf } from "./pair.ts";
import type { Statement } from "./statement.ts";
import { isSameValue } from "./values.ts";
import { listsOf } from "./word-lists.ts";
import type { Word } from "./words.ts";

/**
 * What no other rule explains: each text has words that the other lacks. One text that only adds words is fine, and so
 * are replacements that mean the same, as far as a similarity of words can tell.
 */
export function findResidualDoubts(pair: Pair): readonly Conflict[] {
  const [wordsA, wordsB] = dropAlike(
    pair,
    pair.difference.onlyA.filter(isTelling),
    pair.difference.onlyB.filter(isTelling),
  );
  const restA = [...wordsA, ...valuesMissingIn(pair.a, pair.b)];
  const restB = [...wordsB, ...valuesMissingIn(pair.b, pair.a)];
  if (restA.length === 0 || restB.length === 0) return [];
  const list = (spans: readonly Span[]) => spans.map((span) => span.text).join(", ");
  const reason = `only one text has ${list(restA)}, only the other ${list(restB)}`;
  return [{ kind: "unsure", a: wholeOf(pair.a), b: wholeOf(pair.b), confidence: 0.3, reason }];
}

function valuesMissingIn(statement: Statement, other: Statement): Span[] {
  return statement.values
    .filter((value) => !other.values.some((twin) => isSameValue(value, twin)))
    .map((value) => value.span);
}

function isTelling(word: Word): boolean {
  return !LIGHT_WORDS.has(word.meaning);
}

/** Words that wordings add and drop without changing what is said. */
const LIGHT_WORDS = new Set(
  "locate situate there here really quite currently also please sure make get do be have thing one some any such own well use".split(
    " ",
  ),
);

/** Takes out words of one side that are alike to a word of the other. */
function dropAlike(
  { spanSimilarity }: Pair,
  onlyA: readonly Word[],
  onlyB: readonly Word[],
): [readonly Word[], readonly Word[]] {
  if (spanSimilarity === undefined) return [onlyA, onlyB];
  const areAlike = (a: Word, b: Word) =>
    isReplaceable(a) && isReplaceable(b) && spanSimilarity(a.lemma, b.lemma) >= SAME_MEANING;
  return [
    onlyA.filter((a) => !onlyB.some((b) => areAlike(a, b))),
    onlyB.filter((b) => !onlyA.some((a) => areAlike(a, b))),
  ];
}

/** Names, and members of lists such as rooms and cities, are near each other just because they exclude each other. */
function isReplaceable(word: Word): boolean {
  return !word.isName && listsOf(word.lemma).length === 0;
}

/** Measured with the bundled static embeddings: below it, words of one topic that differ in meaning become frequent. */
const SAME_MEANING = 0.6;
