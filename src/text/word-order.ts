import { lemma } from "./lemma.ts";
import { remembering } from "./remembering.ts";
import { contentWords } from "./tokens.ts";

/** The words of a text that carry meaning, in order, each by its lemma. */
export const contentLemmas: (text: string) => readonly string[] = remembering(
  (text) => contentWords(text).map(lemma),
  20_000,
);

/**
 * How much of what two texts have in common stands in another order, 0 to 1: of the content words of both, the share outside their longest
 * common subsequence. A word that is in both texts several times counts as often as in either.
 */
export function movedShare(a: string, b: string): number {
  const [wordsA, wordsB] = [contentLemmas(a), contentLemmas(b)];
  const [inA, inB] = [new Set(wordsA), new Set(wordsB)];
  const commonA = wordsA.filter((word) => inB.has(word));
  const commonB = wordsB.filter((word) => inA.has(word));
  const common = Math.min(commonA.length, commonB.length);
  return common === 0 ? 0 : 1 - longestCommonSubsequence(commonA, commonB) / common;
}

function longestCommonSubsequence(a: readonly string[], b: readonly string[]): number {
  let above = new Uint32Array(b.length + 1);
  for (const word of a) {
    const row = new Uint32Array(b.length + 1);
    for (const [at, other] of b.entries()) {
      const longest = Math.max(above[at + 1] ?? 0, row[at] ?? 0);
      row[at + 1] = word === other ? (above[at] ?? 0) + 1 : longest;
    }
    above = row;
  }
  return above[b.length] ?? 0;
}
