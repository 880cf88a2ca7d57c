import { standingOf } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Settings } from "../../model/settings.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { isAnchored, sentenceKeys } from "../leaves.ts";
import type { Finding } from "./findings.ts";
import type { Unit } from "./units.ts";

/** What becomes of a contradiction. */
export type ContradictionVerdict =
  /** Both stay live, and disputed. */
  | { readonly kind: "dispute" }
  | { readonly kind: "resolve"; readonly resolution: Resolution }
  | { readonly kind: "held"; readonly reason: string };

export interface Resolution {
  readonly finding: Finding;
  readonly winner: Memory;
  readonly losers: readonly Memory[];
  /** Until when the losers count as true. */
  readonly validTo: number;
  readonly confidence: number;
  readonly reason: string;
}

/** What a person approved is settled by the strategy, whatever the certainty; `flag_all` then means the newer. */
const APPROVED_CONFIDENCE = 0.99;

/**
 * Settles a contradiction by the configured strategy, or leaves it disputed. Unasked, a memory is never archived that has a note or a
 * pin, or that says more than the one sentence in question: the rest of it is not contradicted.
 */
export function judgeContradiction(
  finding: Finding,
  { view, settings }: JudgeContext,
): ContradictionVerdict {
  const issue = view.issueByFingerprint(finding.fingerprint);
  const standing = standingOf(issue);
  if (standing === "declined") return held("declined");
  // Settled before, and both live again: a person brought the loser back, and has the last word.
  const isSettled = issue?.notes.details.resolution !== undefined;
  if (standing === "done" && isSettled) return held("done");
  if (standing === "approved") {
    const decided = decide(finding, settings);
    if (decided.kind !== "sides") return held(decided.kind);
    return resolve(decided, { finding, confidence: APPROVED_CONFIDENCE });
  }
  const { strategy, threshold } = settings.contradictions;
  const { certainty } = finding;
  // What the gate would hold back must not count as archived.
  const isSure = certainty >= Math.max(threshold, settings.reviewConfidence);
  if (strategy === "flag_all" || !isSure) return { kind: "dispute" };
  const decided = decide(finding, settings);
  const mayGo = (loser: Memory): boolean => !isAnchored(loser) && !saysMore(loser);
  if (decided.kind !== "sides" || !decided.losers.every(mayGo)) return { kind: "dispute" };
  return resolve(decided, { finding, confidence: certainty });
}

type JudgeContext = Pick<AgentContext, "view" | "settings">;

interface Sides {
  readonly kind: "sides";
  readonly winner: Memory;
  readonly losers: readonly Memory[];
  readonly validTo: number;
  readonly by: string;
}

/** Which side the strategy keeps, where it can tell. */
function decide(
  finding: Finding,
  { contradictions }: Settings,
): Sides | { readonly kind: "undecided" | "loser_pinned" } {
  const isByTrust = contradictions.strategy === "keep_higher_trust";
  const measure = isByTrust ? trustOf : factTimeOf;
  const [first = [], second = []] = finding.sides;
  const difference = measure(first) - measure(second);
  const [winners, losing] = difference > 0 ? [first, second] : [second, first];
  const losers = membersOf(losing);
  const members = membersOf(winners);
  const winner = members.find(isAnchored) ?? members[0];
  if (difference === 0 || winner === undefined) return { kind: "undecided" };
  if (losers.some(({ pinned }) => pinned)) return { kind: "loser_pinned" };
  const validTo = Math.max(factTimeOf(winners), factTimeOf(losing));
  return { kind: "sides", winner, losers, validTo, by: isByTrust ? "better believed" : "newer" };
}

function resolve(
  { winner, losers, validTo, by }: Sides,
  { finding, confidence }: Pick<Resolution, "finding" | "confidence">,
): ContradictionVerdict {
  const lost = losers.map(({ id }) => id).join(", ");
  const reason = `${winner.id} is the ${by}: it supersedes ${lost}`;
  return { kind: "resolve", resolution: { finding, winner, losers, validTo, confidence, reason } };
}

/** A contradiction that nobody has settled or declined. */
export function isStandingConflict(finding: Finding, context: JudgeContext): boolean {
  if (finding.kind !== "conflict") return false;
  const verdict = judgeContradiction(finding, context);
  return verdict.kind !== "held" || (verdict.reason !== "declined" && verdict.reason !== "done");
}

function held(reason: string): ContradictionVerdict {
  return { kind: "held", reason };
}

function membersOf(units: readonly Unit[]): readonly Memory[] {
  return units.flatMap(({ members }) => members);
}

function saysMore({ content }: Memory): boolean {
  return sentenceKeys(content).length > 1;
}

/** When the youngest of the facts was so, not when it was merged. */
function factTimeOf(units: readonly Unit[]): number {
  const leaves = units.flatMap((unit) => unit.leaves);
  return Math.max(...leaves.map(({ record }) => record.validFrom ?? record.createdAt));
}

/** Of a source that nobody rated, as Mycelium's trust between strangers. */
const UNRATED = 0.5;

function trustOf(units: readonly Unit[]): number {
  return Math.max(...membersOf(units).map(({ confidence }) => confidence ?? UNRATED));
}
