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
  | "unsure";

/**
 * A reason why two texts must not be merged unseen.
 *
 * Every kind but `unsure` claims that the texts contradict each other. `unsure` claims only that they were not found to
 * say the same: each has something that the other lacks, or they are in a language that the rules do not read.
 */
export interface Conflict {
  readonly kind: ConflictKind;
  /** Where it shows in the first text, and where in the second. */
  readonly a: Span;
  readonly b: Span;
  /** 0–1; 0.5 and more for a claimed contradiction. */
  readonly confidence: number;
  /** One sentence for a person who decides. */
  readonly reason: string;
}

/** Whether a conflict claims a contradiction, rather than only forbidding a merge without review. */
export function isContradiction(conflict: Conflict): boolean {
  return conflict.kind !== "unsure";
}
