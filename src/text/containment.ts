import { normalizeText } from "./normalize.ts";
import { splitSentences } from "./sentences.ts";

export type Containment = "equal" | "a_in_b" | "b_in_a" | "none";

/** Whether every sentence of one text stands in the other, in any order. A text without sentences is in nothing. */
export function containmentOf(a: string, b: string): Containment {
  const isInB = contains(b, a);
  const isInA = contains(a, b);
  if (isInA && isInB) return "equal";
  if (isInB) return "a_in_b";
  return isInA ? "b_in_a" : "none";
}

/** Whether every sentence of `part` stands in `whole`, compared by `normalizeText`. */
export function contains(whole: string, part: string): boolean {
  const needed = sentenceKeys(part);
  const present = new Set(sentenceKeys(whole));
  return needed.length > 0 && needed.every((key) => present.has(key));
}

function sentenceKeys(text: string): readonly string[] {
  return splitSentences(text)
    .map(normalizeText)
    .filter((key) => key !== "");
}
