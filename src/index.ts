export {
  type AgentOptions,
  ClusterDetector,
  ConsolidationAgent,
  DecayAnalyzer,
  LTMPromoter,
  RelationshipDiscovery,
  SemanticMerge,
} from "./api/consolidation-agent.ts";
export type { ConsolidationIssues } from "./api/consolidation-issues.ts";
export { open, type Slowwave, type SlowwaveOptions } from "./api/open.ts";
export { type ScheduledResults, Scheduler, type SchedulerOptions } from "./api/scheduler.ts";
export type { Change } from "./model/change.ts";
export { SlowwaveError, type SlowwaveErrorCode } from "./model/errors.ts";
export type { Issue } from "./model/issue.ts";
export { type Memory, reviseMemory } from "./model/memory.ts";
export type { Outcome, Proposal } from "./model/proposal.ts";
export type { Relation } from "./model/relation.ts";
export type {
  ClusterResult,
  DecayResult,
  MergeResult,
  PipelineResults,
  PromotionResult,
  RelationResult,
} from "./model/results.ts";
export type { RunReport } from "./model/run-report.ts";
export type { Settings } from "./model/settings.ts";
export type { Usage, Use } from "./model/use.ts";
export type { Agent, AgentContext, ScanResult } from "./ports/agent.ts";
export type { MemoryStore, Snapshot } from "./ports/memory-store.ts";
export type { Progress } from "./ports/progress.ts";
export type { View } from "./ports/view.ts";
