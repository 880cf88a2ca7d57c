import type { DecayAction } from "./decay-action.ts";
import type { Urgency } from "./issue.ts";

export interface DecayResult {
  readonly memoryId: string;
  readonly score: number;
  readonly urgency: Urgency;
  readonly action: DecayAction;
  /** True where this run archives it; false where it only reports, or where a cap or gate holds it. */
  readonly archived: boolean;
}

export interface ClusterResult {
  readonly clusterId: string;
  readonly memoryIds: readonly string[];
  /** Mean pairwise calibrated similarity, 0 to 1. */
  readonly cohesion: number;
  readonly action: "auto_merge" | "llm_review" | "keep_separate" | "conflict" | "link";
}

export interface MergeResult {
  readonly newMemoryId: string;
  readonly sourceIds: readonly string[];
  readonly relationIds: readonly string[];
  readonly content: string;
}

export interface PromotionResult {
  readonly memoryId: string;
  readonly vaultPath: string;
  readonly criteriaMet: readonly ("score" | "uses" | "forced")[];
  readonly score: number;
}

export interface RelationResult {
  readonly fromId: string;
  readonly toId: string;
  readonly relationType: string;
  readonly created: boolean;
  readonly strength: number;
}

/** What `runPipeline` returns, by agent. */
export interface PipelineResults {
  readonly decay: readonly DecayResult[];
  readonly cluster: readonly ClusterResult[];
  readonly merge: readonly MergeResult[];
  readonly promote: readonly PromotionResult[];
  readonly relations: readonly RelationResult[];
}
