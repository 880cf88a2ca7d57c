import type { BuiltInAgentName } from "../model/agent-name.ts";
import type { Outcome } from "../model/proposal.ts";
import type { PipelineResults } from "../model/results.ts";
import type { RunReport } from "../model/run-report.ts";
import type { Agent, AgentContext, ScanResult } from "../ports/agent.ts";
import { runPipeline } from "../scheduler/run-pipeline.ts";
import type { Slowwave } from "./open.ts";
import { overrideSettings, runDepsOf } from "./run-deps-of.ts";

export interface AgentOptions {
  /** Show what it would do and write nothing. @default false */
  readonly dryRun?: boolean;
  /** Operations that leave the process, a minute. @default the configuration's, 60 */
  readonly rateLimit?: number;
  /** At most so many items. */
  readonly limit?: number;
  /** Calibrated similarity from which memories cluster, 0 to 1. @default 0.83 */
  readonly similarityThreshold?: number;
  /** Memories that make a cluster. @default 2 */
  readonly minClusterSize?: number;
  readonly signal?: AbortSignal;
}

/**
 * The contract of an agent: `scan` finds work, `process` turns one item into outcomes, and neither writes; `run` takes the proposals
 * through gate, commit protocol and journal, or only shows them in a dry run. Extend it for agents of your own.
 */
export abstract class ConsolidationAgent<T> implements Agent<T> {
  abstract readonly name: string;
  protected readonly slowwave: Slowwave;
  protected readonly options: AgentOptions;

  constructor(slowwave: Slowwave, options: AgentOptions = {}) {
    this.slowwave = slowwave;
    this.options = options;
  }

  abstract scan(context: AgentContext): Promise<ScanResult>;
  abstract process(
    itemId: string,
    context: AgentContext,
  ): readonly Outcome<T>[] | Promise<readonly Outcome<T>[]>;

  /** The typed results: of what was applied, or in a dry run would be. */
  async run(): Promise<readonly T[]> {
    const report = await this.report();
    // The runner collects results from this agent's own proposals, whose type is T.
    return (report.agents[this.name]?.results ?? []) as readonly T[];
  }

  /** The same run as the report that the command line prints: counts, gates, what was refused and why. */
  async report(): Promise<RunReport> {
    const { parts } = this.slowwave;
    const { similarityThreshold, minClusterSize, ...options } = this.options;
    const cluster = {
      ...(similarityThreshold === undefined ? {} : { similarityThreshold }),
      ...(minClusterSize === undefined ? {} : { minClusterSize }),
    };
    const settings = overrideSettings(parts.config.settings, { cluster });
    const deps = runDepsOf(parts, { settings, agents: [this] });
    return await runPipeline(deps, {
      rateLimit: parts.config.rateLimit,
      ...options,
      agent: this.name,
    });
  }
}

/** One of the five, behind the same contract. Each run works with a fresh agent, which keeps what its scan computed. */
abstract class BuiltInAgent<A extends BuiltInAgentName> extends ConsolidationAgent<
  PipelineResults[A][number]
> {
  abstract override readonly name: A;
  #inner: Agent<unknown> | undefined;

  override async scan(context: AgentContext): Promise<ScanResult> {
    const agents = await this.slowwave.parts.createAgents();
    this.#inner = agents.find((agent) => agent.name === this.name);
    if (this.#inner === undefined) throw new Error(`no built-in agent is called ${this.name}`);
    return await this.#inner.scan(context);
  }

  override process(
    itemId: string,
    context: AgentContext,
  ): ReturnType<Agent<PipelineResults[A][number]>["process"]> {
    const outcomes = this.#inner?.process(itemId, context);
    if (outcomes === undefined) throw new Error("process was called before scan");
    // The agent of this name makes proposals with results of this type.
    return outcomes as ReturnType<Agent<PipelineResults[A][number]>["process"]>;
  }
}

/** Finds memories at risk of being forgotten, and archives those nobody would miss. */
export class DecayAnalyzer extends BuiltInAgent<"decay"> {
  override readonly name = "decay";
}

/** Finds groups of memories that say the same, and pairs that contradict each other. */
export class ClusterDetector extends BuiltInAgent<"cluster"> {
  override readonly name = "cluster";
}

/** Merges what waits in open merge issues, losing nothing. */
export class SemanticMerge extends BuiltInAgent<"merge"> {
  override readonly name = "merge";
}

/** Writes the memories that proved their worth as notes of the vault. */
export class LTMPromoter extends BuiltInAgent<"promote"> {
  override readonly name = "promote";
}

/** Links memories that share entities. */
export class RelationshipDiscovery extends BuiltInAgent<"relations"> {
  override readonly name = "relations";
}
