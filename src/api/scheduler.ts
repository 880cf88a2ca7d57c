import { AGENT_NAMES, type BuiltInAgentName } from "../model/agent-name.ts";
import type { PipelineResults } from "../model/results.ts";
import type { RunReport } from "../model/run-report.ts";
import type { RunFilter, RunOptions } from "../scheduler/run-options.ts";
import { runPipeline } from "../scheduler/run-pipeline.ts";
import { runScheduled } from "../scheduler/run-scheduled.ts";
import type { Slowwave } from "./open.ts";
import { runDepsOf } from "./run-deps-of.ts";

export interface SchedulerOptions {
  /** Show what a run would do and write nothing. @default false */
  readonly dryRun?: boolean;
  /** Hours that must lie between two scheduled runs. @default the configuration's, 1 */
  readonly intervalHours?: number;
  /** Operations that leave the process, a minute and agent. @default the configuration's, 60 */
  readonly rateLimit?: number;
  /** Items processed a minute. @default the configuration's, unlimited */
  readonly throttle?: number;
  /** At most so many items an agent. */
  readonly limit?: number;
  readonly filter?: RunFilter;
  /** Stops a run cleanly after the batch that it is in. */
  readonly signal?: AbortSignal;
}

export type ScheduledResults =
  | { readonly skipped: true; readonly reason: string }
  | { readonly skipped: false; readonly results: PipelineResults; readonly report: RunReport };

/** Runs the five agents in their order: now, one of them, or when the interval has passed. */
export class Scheduler {
  readonly #slowwave: Slowwave;
  readonly #options: SchedulerOptions;

  constructor(slowwave: Slowwave, options: SchedulerOptions = {}) {
    this.#slowwave = slowwave;
    this.#options = options;
  }

  /** Typed results by agent. `report` tells more: counts, gates, what was refused. */
  async runPipeline(): Promise<PipelineResults> {
    return resultsOf(await this.report());
  }

  /** The same run, as the report that the command line prints. */
  async report(agent?: string): Promise<RunReport> {
    return await runPipeline(runDepsOf(this.#slowwave.parts), this.#runOptions(agent));
  }

  async runAgent<A extends BuiltInAgentName>(agent: A): Promise<PipelineResults[A]> {
    return resultsOf(await this.report(agent))[agent];
  }

  async runScheduled({
    force = false,
  }: {
    readonly force?: boolean;
  } = {}): Promise<ScheduledResults> {
    const { parts } = this.#slowwave;
    const intervalHours = this.#options.intervalHours ?? parts.config.intervalHours;
    const outcome = await runScheduled(
      runDepsOf(parts),
      { intervalHours, force },
      this.#runOptions(),
    );
    if (outcome.skipped) return outcome;
    return { skipped: false, results: resultsOf(outcome.report), report: outcome.report };
  }

  #runOptions(agent?: string): RunOptions {
    const { intervalHours: _intervalHours, ...options } = this.#options;
    const { config } = this.#slowwave.parts;
    return {
      rateLimit: config.rateLimit,
      ...(config.throttle === undefined ? {} : { throttle: config.throttle }),
      ...options,
      ...(agent === undefined ? {} : { agent }),
    };
  }
}

function resultsOf(report: RunReport): PipelineResults {
  const entries = AGENT_NAMES.map((name) => [name, report.agents[name]?.results ?? []]);
  // Each built-in agent's results are of the type that its name stands for in PipelineResults.
  return Object.fromEntries(entries) as PipelineResults;
}
