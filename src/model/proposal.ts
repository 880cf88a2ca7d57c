import type { AgentName } from "./agent-name.ts";
import type { Change } from "./change.ts";
import type { FindingMember, Urgency } from "./issue.ts";
import type { ModelReply } from "./model-reply.ts";

/** What an agent wants done, and why. One without changes only reports, and is listed with its reason. */
export interface Proposal<T> {
  /** Derived from agent and content: the same work gets the same id on every run. */
  readonly id: string;
  readonly agent: AgentName;
  readonly namespace: string;
  /** What kind of step this is (`archive`, `open_issue`, `merge`, `promote`, `link`, …); policies and caps are by agent and action. */
  readonly action: string;
  /** Typed results, mostly one; a decay issue's proposal carries none, each memory's own does. */
  readonly results: readonly T[];
  /** 0 to 1. ≥ 0.9 apply; 0.7 to 0.9 apply and log in detail; below wait for a person. */
  readonly confidence: number;
  readonly reason: string;
  /** What a language model said that led to it; absent where none was asked. */
  readonly replies?: readonly ModelReply[];
  /** Ids of proposals whose effect this one needs: refused with them. */
  readonly dependsOn: readonly string[];
  readonly changes: readonly Change[];
  /** What an issue would say if this has to wait for a person. */
  readonly finding: ProposalFinding;
}

export interface ProposalFinding {
  readonly title: string;
  readonly urgency: Urgency;
  readonly members: readonly FindingMember[];
  readonly scores: Readonly<Record<string, number>>;
}

/**
 * One item's outcome: a proposal, a finding that needs no write and no name of its own, or the named reason for which a gate held it back.
 * Of a large store nearly everything is only reported: a memory at risk whose issue is open, two memories that stay apart.
 */
export type Outcome<T> =
  | { readonly kind: "proposal"; readonly proposal: Proposal<T> }
  | { readonly kind: "report"; readonly result: T }
  | { readonly kind: "held"; readonly itemId: string; readonly reason: string };
