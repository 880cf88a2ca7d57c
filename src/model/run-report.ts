import type { Change } from "./change.ts";
import type { Instant } from "./instant.ts";
import type { ModelUse } from "./model-reply.ts";
import type { Proposal } from "./proposal.ts";
import type { AgentCounts, Run } from "./run.ts";
import type { RunMeasures } from "./run-measures.ts";

/** What became of one proposal. */
export interface ProposalFate {
  readonly proposal: Proposal<unknown>;
  /** `planned` in a dry run; `waiting`: an issue holds it for a person; `refused`: the store or a note had moved on. */
  readonly fate: "planned" | "applied" | "waiting" | "refused" | "none";
  readonly why?: string;
  /** What is written: the proposal's own changes with its note, or the issue that holds it. */
  readonly changes: readonly Change[];
}

export interface AgentReport extends AgentCounts {
  /** The typed results of all its proposals and reports, in order. */
  readonly results: readonly unknown[];
  readonly failures: readonly { readonly itemId: string; readonly message: string }[];
}

/** One run, dry or live, as data; reporters turn it into text or JSON. */
export interface RunReport {
  readonly run: {
    readonly id: string;
    readonly dryRun: boolean;
    /** `completed`, or `failed` where an item failed or was refused: a rerun resumes. */
    readonly status: Run["status"];
    readonly asOf: Instant;
  };
  readonly agents: Readonly<Record<string, AgentReport>>;
  readonly fates: readonly ProposalFate[];
  readonly notes: readonly string[];
  /** Those of the notes that are news also where there was nothing to do. */
  readonly alarms?: readonly string[];
  /** What it asked of a language model, where it had one; of a live run after a dry one less, so never part of a comparison. */
  readonly modelUse?: ModelUse;
  /** Of runs that planned on a view of the store. */
  readonly measures?: RunMeasures;
  /** Milliseconds a stage took on the machine's clock; for people, never part of a comparison. */
  readonly timings: readonly { readonly stage: string; readonly ms: number }[];
}
