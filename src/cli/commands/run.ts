import { runDepsOf } from "../../api/run-deps-of.ts";
import { parseInstant } from "../../model/instant.ts";
import type { MemoryKind } from "../../model/memory.ts";
import type { RunFilter, RunOptions } from "../../scheduler/run-options.ts";
import { runPipeline } from "../../scheduler/run-pipeline.ts";
import { runScheduled } from "../../scheduler/run-scheduled.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { runResult } from "../reporters/run-result.ts";
import { withParts } from "../with-parts.ts";

export interface RunFlags {
  readonly dryRun?: true;
  readonly agent?: string;
  readonly scheduled?: true;
  readonly intervalHours?: number;
  readonly force?: true;
  readonly limit?: number;
  readonly rateLimit?: number;
  readonly throttle?: number;
  /** False with --no-llm. */
  readonly llm: boolean;
  readonly full?: true;
  readonly tag?: string;
  readonly kind?: MemoryKind;
  readonly since?: string;
}

export async function run(context: CommandContext, flags: RunFlags): Promise<CommandResult> {
  const mode = flags.dryRun ? "read" : "write";
  const { llm: languageModel, rateLimit } = flags;
  const how = { mode, create: false, languageModel, ...(rateLimit ? { rateLimit } : {}) } as const;
  return await withParts(context, how, async (parts) => {
    const options = optionsOf(flags, parts, context.signal);
    if (!flags.scheduled) return runResult(await runPipeline(runDepsOf(parts), options));
    const intervalHours = flags.intervalHours ?? parts.config.intervalHours;
    const schedule = { intervalHours, force: flags.force === true };
    const outcome = await runScheduled(runDepsOf(parts), schedule, options);
    if (!outcome.skipped) return runResult(outcome.report);
    const { reason } = outcome;
    return {
      document: { skipped: true, reason },
      text: () => `nothing is due: ${reason}`,
      isIdle: true,
    };
  });
}

/** What a run is asked for, by flags and configuration. */
export function optionsOf(
  flags: Omit<RunFlags, "llm">,
  { config }: Parts,
  signal: AbortSignal,
): RunOptions {
  const { agent, limit } = flags;
  const throttle = flags.throttle ?? config.throttle;
  return {
    dryRun: flags.dryRun === true,
    full: flags.full === true,
    ...(agent === undefined ? {} : { agent }),
    ...(limit === undefined ? {} : { limit }),
    rateLimit: flags.rateLimit ?? config.rateLimit,
    ...(throttle === undefined ? {} : { throttle }),
    filter: filterOf(flags, config.namespace),
    signal,
  };
}

function filterOf(
  { tag, kind, since }: Omit<RunFlags, "llm">,
  namespace: string | undefined,
): RunFilter {
  return {
    ...(namespace === undefined ? {} : { namespace }),
    ...(tag === undefined ? {} : { tag }),
    ...(kind === undefined ? {} : { kind }),
    ...(since === undefined ? {} : { since: parseInstant(since, "--since") }),
  };
}
