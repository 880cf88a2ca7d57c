import type { Settings } from "../../model/settings.ts";
import { calibrate } from "../../similarity/profile.ts";
import { type Conflict, isContradiction } from "../../text/conflicts/conflict.ts";
import { contentWords, wordTokens } from "../../text/tokens.ts";
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
  /** Conflicts that claim a contradiction. */
  contradictions(): readonly Conflict[];
  /** Whether they may be merged with nobody looking, as far as their words go; how similar they are is asked apart. */
  isSafe(): boolean;
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
  const isClose = deps.profile.fitted || cosine >= settings.cluster.cautiousCosine;
  return {
    similarity: isContained ? 1 : calibrate(deps.profile, cosine),
    conflicts,
    contradictions: () => conflicts().filter(isContradiction),
    isSafe: () =>
      isContained ||
      (isClose && hasWords(a) && hasWords(b) && !isReordering(a, b) && conflicts().length === 0),
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
