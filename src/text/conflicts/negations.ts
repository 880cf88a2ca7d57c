import { matchSpans, overlaps, type Span } from "../spans.ts";
import type { Word } from "./words.ts";

/** A negation and what it denies. */
export interface Negation extends Span {
  /** "not", "never", "without" say it openly; "forbidden", "stopped", "used to" imply it. */
  readonly isExplicit: boolean;
  /** Meanings of the content words that it denies, nearest first. */
  readonly scope: readonly string[];
}

/** The negations of a text in order, explicit and implied. */
export function readNegations(text: string, words: readonly Word[]): readonly Negation[] {
  const explicit = matchSpans(text, EXPLICIT).filter((cue) => !IDIOM.test(text.slice(cue.start)));
  const ahead = matchSpans(text, IMPLIES_AHEAD).filter(
    (cue) => !explicit.some((other) => overlaps(other, cue)),
  );
  const around = matchSpans(text, IMPLIES_AROUND);
  return [
    ...explicit.map((cue) => ({ ...cue, isExplicit: true, scope: scopeAfter(text, words, cue) })),
    ...ahead.map((cue) => ({ ...cue, isExplicit: false, scope: scopeAfter(text, words, cue) })),
    ...around.map((cue) => ({ ...cue, isExplicit: false, scope: scopeAround(text, words, cue) })),
  ].sort((a, b) => a.start - b.start);
}

/** Whether a span names a negation cue. */
export function isInNegation(span: Span, negations: readonly Negation[]): boolean {
  return negations.some((negation) => overlaps(negation, span));
}

const EXPLICIT =
  /\b(?:no longer|not any ?more|not|never|none|no one|nobody|nothing|nowhere|without|cannot|neither|nor|non(?=[- ])|no)\b|\b\w+n't\b/giu;
/** Negations in form only. */
const IDIOM =
  /^(?:not only|no matter|no doubt|no wonder|no\.?\s*\d|not just|nothing but|no problem)\b/iu;
/** What follows is denied. */
const IMPLIES_AHEAD =
  /\b(?:prohibits?|bans?|disallows?|forbids?|out of(?! (?:an? )?(?:\d|one|two|three|four|five|ten|stone|wood|metal|plastic|glass|paper))|lacks?|lacking|lack of|fail(?:s|ed)? to|stop(?:s|ped)(?! by\b| at\b| in\b)|quit|quits|refus(?:es?|ed)(?: to)?|avoid(?:s|ed|ing)?|unable to|used to(?! be\b)|used to be|former(?:ly)?|previously|free of|gave up|given up|gives up|absence of|instead of|rather than|denies|denied|hardly|barely|scarcely|rejects?|rejected|declined?)\b/giu;
/** What is said of is denied. */
const IMPLIES_AROUND = /\b(?:forbidden|prohibited|banned|disallowed|sold out|not an option)\b/giu;

const CLAUSE_BREAK =
  /[,;:.!?()\n]|\b(?:but|and|or|whereas|while|because|although|though|so|if|when|which|who)\b/giu;
const SCOPE_WORDS = 4;

function scopeAfter(text: string, words: readonly Word[], cue: Span): string[] {
  const clause = clauseAt(text, cue);
  const after = words.filter(
    (word) => word.start >= cue.end && word.end <= clause.end && !word.isStop,
  );
  const scope =
    after.length > 0
      ? after.slice(0, SCOPE_WORDS)
      : words.filter((word) => word.end <= cue.start && !word.isStop).slice(-SCOPE_WORDS);
  return scope.map((word) => word.meaning);
}

function scopeAround(text: string, words: readonly Word[], cue: Span): string[] {
  const clause = clauseAt(text, cue);
  return words
    .filter(
      (word) =>
        word.start >= clause.start &&
        word.end <= clause.end &&
        !word.isStop &&
        !overlaps(word, cue),
    )
    .map((word) => word.meaning);
}

function clauseAt(text: string, cue: Span): { readonly start: number; readonly end: number } {
  const breaks = matchSpans(text, CLAUSE_BREAK).filter(
    (gap) => !overlaps(gap, cue) && !isInsideNumber(text, gap),
  );
  const start = breaks.filter((gap) => gap.end <= cue.start).at(-1)?.end ?? 0;
  const end = breaks.find((gap) => gap.start >= cue.end)?.start ?? text.length;
  return { start, end };
}

function isInsideNumber(text: string, gap: Span): boolean {
  return /^[.,:]$/u.test(gap.text) && /\S/u.test(text[gap.end] ?? " ");
}
