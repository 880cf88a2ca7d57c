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

/** Reads sentences and whole texts; spans inside count from the start of `span.text`. */
export type StatementReader = (span: Span) => Statement;

/** A reader that remembers: in a cluster every text is compared with many others. */
export function createStatementReader(): StatementReader {
  const known = new Map<string, Omit<Statement, keyof Span>>();
  return (span) => {
    const remembered = known.get(span.text);
    if (remembered !== undefined) return { ...remembered, ...span };
    if (known.size >= MAXIMUM_REMEMBERED) known.clear();
    const read = readStatement(span.text);
    known.set(span.text, read);
    return { ...read, ...span };
  };
}

/** About 80 MB of short texts. */
const MAXIMUM_REMEMBERED = 20_000;

function readStatement(text: string): Omit<Statement, keyof Span> {
  const plain = plainPunctuation(text);
  const words = readWords(plain);
  const values = readValues(plain);
  const negations = readNegations(plain, words);
  const taken = [...values.map((value) => value.span), ...negations];
  const content = words.filter(
    (word) => !word.isStop && !taken.some((span) => overlaps(span, word)),
  );
  return { words, values, negations, content, subject: readSubject(plain, words) };
}
