import type { Span } from "../spans.ts";

export type ConflictKind =
  | "quantity"
  | "date"
  | "clock"
  | "duration"
  | "version"
  | "identifier"
  | "negation"
  | "antonym"
  | "word_order"
  | "speaker_swap"
  | "slot"
  | "distinct"
  | "unsure";

/**
 * A reason why two texts must not be merged unseen.
 *
 * Most kinds claim that the texts contradict each other. `distinct` claims that they speak of two things, of which both can
 * be true: other subjects, other periods, another value where there may be many. `unsure` claims only that they were not
 * found to say the same: each has something that the other lacks, or they are in a language that the rules do not read.
 */
export interface Conflict {
  readonly kind: ConflictKind;
  /** Where it shows in the first text, and where in the second. */
  readonly a: Span;
  readonly b: Span;
  /** 0–1; below `SURE_ENOUGH` even a claimed contradiction is only a reason to look. */
  readonly confidence: number;
  /** One sentence for a person who decides. */
  readonly reason: string;
}

/** Whether a conflict claims a contradiction, and is sure enough of it to call it one. */
export function isContradiction(conflict: Conflict): boolean {
  return isClaim(conflict) && conflict.confidence >= SURE_ENOUGH;
}

/** Whether a conflict claims a contradiction at all. */
export function isClaim({ kind }: Conflict): boolean {
  return kind !== "unsure" && kind !== "distinct";
}

/** Measured on labelled pairs: of those claimed with less, a third contradict each other and a quarter say the same. */
const SURE_ENOUGH = 0.6;
