import { plainPunctuation } from "../normalize.ts";
import { overlaps, type Span } from "../spans.ts";
import { type Negation, readNegations } from "./negations.ts";
import { readSubject, type Subject } from "./subjects.ts";
import { readValues, type Value } from "./values.ts";
import { readWords, type Word } from "./words.ts";

/** A text, read once for all rules. */
export interface Statement extends Span {
  readonly words: readonly Word[];
  readonly values: readonly Value[];
  readonly negations: readonly Negation[];
  readonly subject: Subject | undefined;
  /** Words that carry meaning and are part of no value and no negation. */
  readonly content: readonly Word[];
}

/** Reads a sentence or a whole text. Spans inside count from the start of `span.text`. */
export function readStatement(span: Span): Statement {
  const plain = plainPunctuation(span.text);
  const words = readWords(plain);
  const values = readValues(plain);
  const negations = readNegations(plain, words);
  const taken = [...values.map((value) => value.span), ...negations];
  const content = words.filter(
    (word) => !word.isStop && !taken.some((span) => overlaps(span, word)),
  );
  return {
    ...span,
    text: plain,
    words,
    values,
    negations,
    content,
    subject: readSubject(plain, words),
  };
}
