import type { AntonymLexicon } from "./antonym-lexicon.ts";
import { isInNegation, type Negation } from "./negations.ts";
import type { Statement } from "./statement.ts";
import type { Word } from "./words.ts";

/** "not open" on one side and "closed" on the other: a denial and an opposite that say the same. */
export interface Agreement {
  readonly negation: Negation;
  readonly denied: Word;
  readonly opposite: Word;
}

export function findAgreements(
  own: Statement,
  other: Statement,
  antonyms: AntonymLexicon,
): readonly Agreement[] {
  const missing = other.content.filter((word) => !says(own, word) && !isDenied(word, other));
  return own.negations.flatMap((negation) =>
    deniedWords(own, negation).flatMap((denied) => {
      const opposite = missing.find((word) => antonyms.areOpposites(denied.fold, word.fold));
      return opposite === undefined || says(other, denied) ? [] : [{ negation, denied, opposite }];
    }),
  );
}

function says({ content }: Statement, word: Word): boolean {
  return content.some((other) => other.meaning === word.meaning);
}

/** Whether a statement denies one of its words. */
export function isDenied(word: Word, { negations }: Statement): boolean {
  return (
    !isInNegation(word, negations) &&
    negations.some((negation) => negation.scope.includes(word.meaning))
  );
}

function deniedWords({ content }: Statement, negation: Negation): readonly Word[] {
  return content.filter((word) => negation.scope.includes(word.meaning));
}
