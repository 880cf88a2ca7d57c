import type { Span } from "../spans.ts";
import { type Agreement, findAgreements } from "./agreements.ts";
import type { AntonymLexicon } from "./antonym-lexicon.ts";
import type { Conflict } from "./conflict.ts";
import { type Difference, findDifference } from "./difference.ts";
import type { Statement } from "./statement.ts";
import type { Word } from "./words.ts";

/** Cosine similarity, −1 to 1, of two words or short phrases. */
export type SpanSimilarity = (a: string, b: string) => number;

/** Two statements side by side, and what the rules may consult. */
export interface Pair {
  readonly a: Statement;
  readonly b: Statement;
  readonly difference: Difference;
  /** Denials in `a` that agree with an opposite in `b`, and the other way round. */
  readonly agreements: { readonly a: readonly Agreement[]; readonly b: readonly Agreement[] };
  readonly antonyms: AntonymLexicon;
  readonly spanSimilarity: SpanSimilarity | undefined;
}

export type Rule = (pair: Pair) => readonly Conflict[];

export function pairStatements(statements: Omit<Pair, "difference" | "agreements">): Pair {
  const { a, b, antonyms } = statements;
  const agreements = { a: findAgreements(a, b, antonyms), b: findAgreements(b, a, antonyms) };
  const agreed = new Set(
    [...agreements.a, ...agreements.b].flatMap(({ denied, opposite }) => [denied, opposite]),
  );
  return { ...statements, difference: findDifference(a, b, agreed), agreements };
}

/** The span that a run of words covers, in the coordinates of the whole text. */
export function spanOfWords(statement: Statement, words: readonly Word[]): Span {
  const [first] = words;
  const last = words.at(-1);
  if (first === undefined || last === undefined) return wholeOf(statement);
  return placeIn(statement, {
    text: statement.text.slice(first.start, last.end),
    start: first.start,
    end: last.end,
  });
}

/** A span inside a statement, moved into the coordinates of the whole text. */
export function placeIn(statement: Statement, span: Span): Span {
  return { text: span.text, start: statement.start + span.start, end: statement.start + span.end };
}

export function wholeOf({ text, start, end }: Statement): Span {
  return { text, start, end };
}
