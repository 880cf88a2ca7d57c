import type { Change } from "../model/change.ts";
import type { Instant } from "../model/instant.ts";
import type { ModelUse } from "../model/model-reply.ts";
import type { Proposal } from "../model/proposal.ts";

/** A proposal with what the gate made of it. `changes` is what is to be written: the proposal's own, or the issue that holds it. */
export interface DecidedProposal {
  readonly proposal: Proposal<unknown>;
  readonly fate: "apply" | "wait" | "hold" | "none";
  readonly changes: readonly Change[];
  readonly why?: string;
}

export interface ItemFailure {
  readonly itemId: string;
  readonly message: string;
}

export interface AgentPlan {
  readonly scanned: number;
  /** Of all proposals that apply or report without a write, and of all reports, in the order of their items. */
  readonly results: readonly unknown[];
  /** Why items were held back: reason → how many. */
  readonly held: Readonly<Record<string, number>>;
  readonly failures: readonly ItemFailure[];
}

/** What applying and reporting need of a plan. */
export type ApplicablePlan = Omit<PipelinePlan, "baseVersion" | "hash">;

/** Everything a run would write, in order, made at one pinned version: what a dry run shows and a live run applies. */
export interface PipelinePlan {
  readonly asOf: Instant;
  readonly baseVersion: { readonly records: number; readonly uses: number };
  readonly agents: Readonly<Record<string, AgentPlan>>;
  readonly decided: readonly DecidedProposal[];
  readonly notes: readonly string[];
  readonly hash: string;
  readonly timings: readonly { readonly stage: string; readonly ms: number }[];
  readonly modelUse?: ModelUse;
}
