import type { Span } from "../spans.ts";

const SYMBOLS =
  /\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|\u200d\p{Extended_Pictographic}|\ufe0f)*|\p{So}|[\u{1f1e6}-\u{1f1ff}]{2}/gu;

/**
 * Signs that each text has and the other lacks: "✅" and "❌" may say everything, and neither words nor vectors see them.
 * `undefined` where one text at most adds some.
 */
export function findOtherSymbols(a: string, b: string): readonly [Span, Span] | undefined {
  const [inA, inB] = [symbolsOf(a), symbolsOf(b)];
  const onlyA = missingIn(inB, inA);
  const onlyB = missingIn(inA, inB);
  return onlyA === undefined || onlyB === undefined ? undefined : [onlyA, onlyB];
}

function symbolsOf(text: string): readonly Span[] {
  return [...text.matchAll(SYMBOLS)].map(({ 0: symbol, index }) => ({
    text: symbol,
    start: index,
    end: index + symbol.length,
  }));
}

function missingIn(others: readonly Span[], symbols: readonly Span[]): Span | undefined {
  const known = new Set(others.map(({ text }) => text));
  return symbols.find(({ text }) => !known.has(text));
}
