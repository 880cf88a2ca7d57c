import type { Settings } from "../../model/settings.ts";
import { calibrate } from "../../similarity/profile.ts";
import { type Conflict, isClaim, isContradiction } from "../../text/conflicts/conflict.ts";
import { contentLemmas, movedShare } from "../../text/word-order.ts";
import type { AgentDeps } from "../agent-deps.ts";

export interface TextPair {
  readonly a: string;
  readonly b: string;
  /** Of their vectors; 0 where either has none. */
  readonly cosine: number;
  /** One holds every sentence of the other. */
  readonly isContained: boolean;
}

/** Two texts side by side. What costs time is worked out when it is first asked for. */
export interface Comparison {
  /** Calibrated, 0 to 1; 1 where one text holds every sentence of the other. */
  readonly similarity: number;
  /** Contradictions first. */
  conflicts(): readonly Conflict[];
  /** Conflicts that claim a contradiction and are sure of it. */
  contradictions(): readonly Conflict[];
  /** Whether they must not become one memory, not even if somebody agrees: they contradict each other or speak of two things. */
  areApart(): boolean;
  /** Whether they may be merged with nobody looking, as far as their words go; how similar they are is asked apart. */
  isSafe(): boolean;
  /** How likely they say the same, similarity and conflicts taken together. Only its order means something. */
  sameness(): number;
}

/** Shorter texts have too few words for a vector to say much. */
const WORDS_TO_JUDGE = 3;

export function compareTexts(
  { a, b, cosine, isContained }: TextPair,
  { deps, settings }: { readonly deps: AgentDeps; readonly settings: Settings },
): Comparison {
  let found: readonly Conflict[] | undefined = isContained ? [] : undefined;
  const conflicts = (): readonly Conflict[] => {
    found ??= deps.rules.conflicts(a, b);
    return found;
  };
  const contradictions = (): readonly Conflict[] => conflicts().filter(isContradiction);
  const isClose = isCloseEnough(cosine, { deps, settings });
  const similarity = isContained ? 1 : calibrate(deps.profile, cosine);
  return {
    similarity,
    conflicts,
    contradictions,
    areApart: () =>
      contradictions().length > 0 || conflicts().some(({ kind }) => kind === "distinct"),
    isSafe: () =>
      isContained ||
      (isClose && hasWords(a) && hasWords(b) && !isReordering(a, b) && conflicts().length === 0),
    sameness: () => similarity - penaltyOf(conflicts()),
  };
}

/** Of two texts that are to be merged unseen: until a profile is fitted, nothing but nearly the same. */
export function isCloseEnough(
  cosine: number,
  {
    deps,
    settings,
  }: { readonly deps: Pick<AgentDeps, "profile">; readonly settings: Pick<Settings, "cluster"> },
): boolean {
  return deps.profile.fitted || cosine >= settings.cluster.cautiousCosine;
}

function hasWords(text: string): boolean {
  return contentLemmas(text).length >= WORDS_TO_JUDGE;
}

/**
 * The same words in another order: who did what to whom may have changed, which an embedder of words cannot see. "By" in one text alone
 * is the passive voice, where the order has to change, and "Rome is the capital" says the same as "The capital is Rome".
 */
function isReordering(a: string, b: string): boolean {
  const isPassive = BY.test(a) !== BY.test(b);
  const areEquations = EQUATION.test(a) && EQUATION.test(b);
  return !isPassive && !areEquations && movedShare(a, b) >= MOVED;
}

const BY = /\bby\b/iu;
const EQUATION = /\b(?:is|are|was|were)\s+(?!not\b)(?!\w+(?:ing|ed|en)\b)/iu;

/** Of labelled pairs that nothing else keeps from merging, a third of those that do not say the same have moved as much, and a tenth of the others. */
const MOVED = 0.25;

/**
 * What the worst conflict takes off a similarity. Round numbers: a regression on these and on lexical features (words in common, lengths,
 * names) ranks pairs of sources that it has not seen no better.
 */
function penaltyOf(conflicts: readonly Conflict[]): number {
  if (conflicts.some(isContradiction)) return 0.5;
  if (conflicts.some(({ kind }) => kind === "distinct")) return 0.2;
  if (conflicts.some(isClaim)) return 0.15;
  return conflicts.length > 0 ? 0.05 : 0;
}
