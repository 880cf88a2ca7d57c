import type { Settings } from "../../model/settings.ts";
import type { VectorMatrix } from "../../model/vector-matrix.ts";
import { rowCosine, rowLengths } from "../../similarity/vectors.ts";
import { type Conflict, isContradiction } from "../../text/conflicts/conflict.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { type Comparison, compareTexts } from "./compare-texts.ts";
import type { Containment } from "./containment.ts";
import type { Row } from "./units.ts";

/** How two texts of a namespace compare. All answers are symmetric. */
export interface Likeness {
  /** Calibrated, 0 to 1; 1 where one text holds every sentence of the other. */
  similarity(a: number, b: number): number;
  /** Whether they contradict each other, or speak of two things or times: then they are never one memory. */
  exclude(a: number, b: number): boolean;
  /** Conflicts that claim a contradiction, whenever the texts were written. */
  contradictions(a: number, b: number): readonly Conflict[];
  /** Whether they may be merged with nobody looking. */
  isSafe(a: number, b: number): boolean;
}

export function createLikeness(input: {
  readonly rows: readonly Row[];
  readonly matrix: VectorMatrix;
  readonly containment: Containment;
  readonly deps: AgentDeps;
  readonly settings: Settings;
}): Likeness {
  const { rows, matrix, containment, deps, settings } = input;
  const lengths = rowLengths(matrix);
  const textOf = (row: number): string => rows[row]?.text ?? "";
  const cosine = (a: number, b: number): number => {
    const hasVectors = (lengths[a] ?? 0) > 0 && (lengths[b] ?? 0) > 0;
    return hasVectors ? rowCosine(matrix, lengths, [Math.min(a, b), Math.max(a, b)]) : 0;
  };
  const compare = (a: number, b: number): Comparison => {
    const isContained = a === b || containment.holds(a, b) || containment.holds(b, a);
    const pair = { a: textOf(a), b: textOf(b), cosine: cosine(a, b), isContained };
    return compareTexts(pair, { deps, settings });
  };
  // Similarities are asked of far more pairs than conflicts, and take less time than memory.
  const remembered = remember(compare);
  const exclude = (a: number, b: number): boolean => remembered(a, b).areApart();
  const writtenOf = (row: number): string => rows[row]?.record.content ?? "";
  return {
    similarity: (a, b) => compare(a, b).similarity,
    exclude,
    // "I ran yesterday", said on two days, is two facts and no contradiction: dates that were added do not count.
    contradictions: (a, b) => {
      if (!exclude(a, b)) return [];
      const [first, second] = [Math.min(a, b), Math.max(a, b)];
      const found = deps.rules.conflicts(writtenOf(first), writtenOf(second));
      return found.filter(isContradiction);
    },
    isSafe: (a, b) => {
      const isTimeless = !rows[a]?.isBoundToTime && !rows[b]?.isBoundToTime;
      return a === b || (isTimeless && remembered(a, b).isSafe());
    },
  };
}

/** Computes a pair once, whichever way round it is asked for. */
function remember(
  compute: (first: number, second: number) => Comparison,
): (a: number, b: number) => Comparison {
  const known = new Map<string, Comparison>();
  return (a, b) => {
    const [first, second] = [Math.min(a, b), Math.max(a, b)];
    const key = `${first} ${second}`;
    const comparison = known.get(key) ?? compute(first, second);
    known.set(key, comparison);
    return comparison;
  };
}
