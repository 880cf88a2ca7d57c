import type { Settings } from "../../model/settings.ts";
import type { VectorMatrix } from "../../model/vector-matrix.ts";
import { calibrate } from "../../similarity/profile.ts";
import { rowCosine, rowLengths } from "../../similarity/vectors.ts";
import { type Conflict, isContradiction } from "../../text/conflicts/conflict.ts";
import { contentWords, wordTokens } from "../../text/tokens.ts";
import type { AgentDeps } from "../agent-deps.ts";
import type { Containment } from "./containment.ts";
import type { Row } from "./units.ts";

/** How two texts of a namespace compare. All answers are symmetric. */
export interface Likeness {
  /** Calibrated, 0 to 1; 1 where one text holds every sentence of the other. */
  similarity(a: number, b: number): number;
  /** Conflicts that claim a contradiction. */
  contradictions(a: number, b: number): readonly Conflict[];
  /** Whether they may be merged with nobody looking. */
  isSafe(a: number, b: number): boolean;
}

/** Shorter texts have too few words for a vector to say much. */
const WORDS_TO_JUDGE = 3;

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
  const conflictsOf = remember((a, b) => deps.rules.conflicts(textOf(a), textOf(b)));
  const isContained = (a: number, b: number): boolean =>
    a === b || containment.holds(a, b) || containment.holds(b, a);
  const conflicts = (a: number, b: number): readonly Conflict[] =>
    isContained(a, b) ? [] : conflictsOf(a, b);
  return {
    similarity: (a, b) => (isContained(a, b) ? 1 : calibrate(deps.profile, cosine(a, b))),
    contradictions: (a, b) => conflicts(a, b).filter(isContradiction),
    isSafe: (a, b) => {
      if (isContained(a, b)) return true;
      const isClose = deps.profile.fitted || cosine(a, b) >= settings.cluster.cautiousCosine;
      return (
        isClose &&
        hasWords(textOf(a)) &&
        hasWords(textOf(b)) &&
        !isReordering(textOf(a), textOf(b)) &&
        conflicts(a, b).length === 0
      );
    },
  };
}

function pairKey(a: number, b: number): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`;
}

function remember<T>(compute: (a: number, b: number) => T): (a: number, b: number) => T {
  const known = new Map<string, T>();
  return (a, b) => {
    const key = pairKey(a, b);
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = compute(Math.min(a, b), Math.max(a, b));
    known.set(key, value);
    return value;
  };
}

function hasWords(text: string): boolean {
  return contentWords(text).length >= WORDS_TO_JUDGE;
}

/** The same words in another order: who did what to whom may have changed, which an embedder of words cannot see. */
function isReordering(a: string, b: string): boolean {
  const [one, other] = [wordTokens(a), wordTokens(b)];
  const isSameOrder = one.join(" ") === other.join(" ");
  return !isSameOrder && one.toSorted().join(" ") === other.toSorted().join(" ");
}
