import { normalizeText } from "../normalize.ts";
import { sentenceSpans } from "../sentences.ts";
import type { Span } from "../spans.ts";
import type { Statement, StatementReader } from "./statement.ts";

export type SpanPair = readonly [a: Span, b: Span];

/** The pieces of two texts to compare; what stands in both is left out. */
export interface SentencePairs {
  /** All that is left of either text, where that is short: a rewording may cut sentences elsewhere. */
  readonly whole: SpanPair | undefined;
  /** Sentences on one topic, unless `whole` is a pair of single sentences. */
  readonly sentences: readonly SpanPair[];
}

export function pairSentences(a: string, b: string, read: StatementReader): SentencePairs {
  const [onlyA, onlyB] = withoutShared(sentenceSpans(a), sentenceSpans(b));
  if (onlyA.length === 0 || onlyB.length === 0) return { whole: undefined, sentences: [] };
  const count = onlyA.length + onlyB.length;
  const whole = count <= MAXIMUM_WHOLE ? ([cover(a, onlyA), cover(b, onlyB)] as const) : undefined;
  return { whole, sentences: count === 2 ? [] : linkSentences([onlyA, onlyB], read) };
}

const MAXIMUM_WHOLE = 6;

function withoutShared(a: readonly Span[], b: readonly Span[]): SentenceLists {
  const keys = (spans: readonly Span[]) => new Set(spans.map((span) => normalizeText(span.text)));
  const [inA, inB] = [keys(a), keys(b)];
  const isMissing = (known: ReadonlySet<string>) => (span: Span) =>
    !known.has(normalizeText(span.text));
  return [a.filter(isMissing(inB)), b.filter(isMissing(inA))];
}

type SentenceLists = readonly [a: readonly Span[], b: readonly Span[]];

function cover(text: string, spans: readonly Span[]): Span {
  const start = spans[0]?.start ?? 0;
  const end = spans.at(-1)?.end ?? text.length;
  return { text: text.slice(start, end), start, end };
}

function linkSentences([onlyA, onlyB]: SentenceLists, read: StatementReader): SpanPair[] {
  const others = onlyB.map((span) => ({ span, statement: read(span) }));
  return onlyA.flatMap((span) => {
    const statement = read(span);
    return others
      .filter((other) => shareTopic(statement, other.statement))
      .map((other): SpanPair => [span, other.span]);
  });
}

function shareTopic(a: Statement, b: Statement): boolean {
  const [inA, inB] = [topicOf(a), topicOf(b)];
  const shared = [...inA].filter((meaning) => inB.has(meaning)).length;
  return shared >= 1 && shared / Math.min(inA.size, inB.size) >= TOPIC_SHARE;
}

function topicOf({ content }: Statement): ReadonlySet<string> {
  return new Set(content.map((word) => word.meaning));
}

const TOPIC_SHARE = 0.5;
