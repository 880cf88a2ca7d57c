import type { Settings } from "../../model/settings.ts";
import type { VectorMatrix } from "../../model/vector-matrix.ts";
import { calibrate } from "../../similarity/profile.ts";
import { rowCosine, rowLengths } from "../../similarity/vectors.ts";
import { type Conflict, isContradiction } from "../../text/conflicts/conflict.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { compareTexts, isCloseEnough } from "./compare-texts.ts";
import type { Containment } from "./containment.ts";
import type { PairVerdict, PairVerdicts } from "./pair-verdicts.ts";
import { type Row, textOfRow } from "./units.ts";

/** How two texts of a namespace compare. All answers are symmetric. */
export interface Likeness {
  /** Calibrated, 0 to 1; 1 where one text holds every sentence of the other. */
  similarity(a: number, b: number): number;
  /** Whether they contradict each other, or speak of two things or times: then they are never one memory. */
  exclude(a: number, b: number): boolean;
  /** The surest contradiction between them, whenever they were written; 0 where there is none. */
  certainty(a: number, b: number): number;
  /** All of them, to be told to a person. */
  contradictions(a: number, b: number): readonly Conflict[];
  /** Whether they may be merged with nobody looking. */
  isSafe(a: number, b: number): boolean;
}

export function createLikeness(input: {
  readonly rows: readonly Row[];
  readonly matrix: VectorMatrix;
  readonly containment: Containment;
  readonly verdicts: PairVerdicts;
  readonly deps: AgentDeps;
  readonly settings: Settings;
}): Likeness {
  const { rows, matrix, containment, verdicts, deps, settings } = input;
  const lengths = rowLengths(matrix);
  const cosine = (a: number, b: number): number => {
    const hasVectors = (lengths[a] ?? 0) > 0 && (lengths[b] ?? 0) > 0;
    return hasVectors ? rowCosine(matrix, lengths, [Math.min(a, b), Math.max(a, b)]) : 0;
  };
  const isContained = (a: number, b: number): boolean =>
    a === b || containment.holds(a, b) || containment.holds(b, a);
  const judge = createJudge({ rows, verdicts, deps, settings });
  const exclude = (a: number, b: number): boolean =>
    !isContained(a, b) && judge.verdict(a, b).areApart;
  return {
    similarity: (a, b) => (isContained(a, b) ? 1 : calibrate(deps.profile, cosine(a, b))),
    exclude,
    certainty: (a, b) => (exclude(a, b) ? judge.certainty(a, b) : 0),
    contradictions: (a, b) => (exclude(a, b) ? judge.contradictions(a, b) : []),
    isSafe: (a, b) => {
      if (a === b) return true;
      if (rows[a]?.reading.isBoundToTime || rows[b]?.reading.isBoundToTime) return false;
      if (isContained(a, b)) return true;
      return isCloseEnough(cosine(a, b), { deps, settings }) && judge.verdict(a, b).isSafe;
    },
  };
}

/** Judges two texts once, in this run or an earlier one. */
function createJudge(input: {
  readonly rows: readonly Row[];
  readonly verdicts: PairVerdicts;
  readonly deps: AgentDeps;
  readonly settings: Settings;
}) {
  const { rows, verdicts, deps, settings } = input;
  const rowAt = (at: number): Row => {
    const row = rows[at];
    if (row === undefined) throw new RangeError(`there is no row ${at}`);
    return row;
  };
  // "I ran yesterday", said on two days, is two facts and no contradiction: dates that were added do not count.
  const contradictions = (a: number, b: number): readonly Conflict[] => {
    const [first, second] = [rowAt(Math.min(a, b)), rowAt(Math.max(a, b))];
    return deps.rules
      .conflicts(first.record.content, second.record.content)
      .filter(isContradiction);
  };
  const judge = (one: Row, other: Row): PairVerdict => {
    const pair = { a: textOfRow(one), b: textOfRow(other), cosine: 1, isContained: false };
    const comparison = compareTexts(pair, { deps, settings });
    // Where no dates were added, these are the contradictions as written too, for which the next to ask need not judge again.
    const isAsWritten = !one.reading.isDated && !other.reading.isDated;
    return {
      areApart: comparison.areApart(),
      isSafe: comparison.isSafe(),
      certainty: isAsWritten ? surest(comparison.contradictions()) : Number.NaN,
    };
  };
  const verdict = (a: number, b: number): PairVerdict => {
    const [one, other] = [rowAt(a), rowAt(b)];
    const [first, second] = [one.reading.number, other.reading.number];
    const known = verdicts.find(first, second);
    if (known !== undefined) return known;
    const found = judge(one, other);
    verdicts.put(first, second, found);
    return found;
  };
  const certainty = (a: number, b: number): number => {
    const known = verdict(a, b);
    if (!Number.isNaN(known.certainty)) return known.certainty;
    const found = { ...known, certainty: surest(contradictions(a, b)) };
    verdicts.put(rowAt(a).reading.number, rowAt(b).reading.number, found);
    return found.certainty;
  };
  return { verdict, certainty, contradictions };
}

function surest(conflicts: readonly Conflict[]): number {
  return conflicts.reduce((most, { confidence }) => Math.max(most, confidence), 0);
}
