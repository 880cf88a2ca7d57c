import { runDepsOf } from "../../api/run-deps-of.ts";
import { parseInstant } from "../../model/instant.ts";
import type { MemoryKind } from "../../model/memory.ts";
import type { RunFilter, RunOptions } from "../../scheduler/run-options.ts";
import { runPipeline } from "../../scheduler/run-pipeline.ts";
import { runScheduled, type ScheduledRun } from "../../scheduler/run-scheduled.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { keepHeapSmall } from "../keep-heap-small.ts";
import { runResult } from "../reporters/run-result.ts";
import { withRunLog } from "../run-log.ts";
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
  readonly logJson?: string;
  readonly tag?: string;
  readonly kind?: MemoryKind;
  readonly since?: string;
}

export async function run(context: CommandContext, flags: RunFlags): Promise<CommandResult> {
  keepHeapSmall();
  const mode = flags.dryRun ? "read" : "write";
  const { llm: languageModel, rateLimit } = flags;
  const how = { mode, create: false, languageModel, ...(rateLimit ? { rateLimit } : {}) } as const;
  return await withRunLog(context, { command: "run", file: flags.logJson }, (log) =>
    withParts(context, how, async (parts) => {
      const outcome = await runOnce(flags, parts, context.signal);
      if (!outcome.skipped) {
        await log.report(outcome.report);
        return runResult(outcome.report);
      }
      await log.skip();
      const { reason } = outcome;
      return {
        document: { skipped: true, reason },
        text: () => `nothing is due: ${reason}`,
        isIdle: true,
      };
    }),
  );
}

async function runOnce(flags: RunFlags, parts: Parts, signal: AbortSignal): Promise<ScheduledRun> {
  const options = optionsOf(flags, parts, signal);
  const deps = runDepsOf(parts);
  if (!flags.scheduled) return { skipped: false, report: await runPipeline(deps, options) };
  const intervalHours = flags.intervalHours ?? parts.config.intervalHours;
  return await runScheduled(deps, { intervalHours, force: flags.force === true }, options);
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
