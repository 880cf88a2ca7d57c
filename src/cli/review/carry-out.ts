import { runDepsOf } from "../../api/run-deps-of.ts";
import { AGENT_NAMES } from "../../model/agent-name.ts";
import { SlowwaveError } from "../../model/errors.ts";
import { type Issue, standingOf } from "../../model/issue.ts";
import { runPipeline } from "../../scheduler/run-pipeline.ts";
import type { Parts } from "../../wire.ts";
import type { CommandResult, ExitCode } from "../command-context.ts";
import { type Paint, printable } from "../paint.ts";
import { errorDocument, exitCodeOf } from "../reporters/report-error.ts";
import { runResult } from "../reporters/run-result.ts";
import { carrierOf } from "./preview-approval.ts";

export interface CarriedOut {
  readonly documents: readonly object[];
  readonly exitCode: ExitCode;
  lines(paint: Paint): readonly string[];
}

/** With `--now` runs the agents of what was approved, in the pipeline's order; else says what will. */
export async function carryOut(
  decided: readonly Issue[],
  input: {
    readonly parts: Parts;
    readonly flags: { readonly now?: true };
    readonly signal: AbortSignal;
  },
): Promise<CarriedOut> {
  const approved = decided.filter((issue) => standingOf(issue) === "approved");
  if (input.flags.now !== true) return later(approved.length);
  const results: CommandResult[] = [];
  for (const agent of agentsOf(approved)) {
    // One after the other: a run holds the lease.
    results.push(await runAgent(agent, input));
  }
  return {
    documents: results.map(({ document }) => document),
    exitCode: results.find(({ exitCode }) => exitCode !== undefined && exitCode > 0)?.exitCode ?? 0,
    lines: (paint) => results.flatMap((result) => ["", result.text(paint)]),
  };
}

function later(count: number): CarriedOut {
  const lines = count === 0 ? [] : ["The next run carries out what is approved."];
  return { documents: [], exitCode: 0, lines: () => lines };
}

function agentsOf(approved: readonly Issue[]): readonly string[] {
  const names = new Set(approved.map((issue) => carrierOf(issue)));
  return AGENT_NAMES.filter((name) => names.has(name));
}

async function runAgent(
  agent: string,
  { parts, signal }: { readonly parts: Parts; readonly signal: AbortSignal },
): Promise<CommandResult> {
  const { namespace, rateLimit } = parts.config;
  const filter = namespace === undefined ? {} : { namespace };
  try {
    return runResult(await runPipeline(runDepsOf(parts), { agent, filter, rateLimit, signal }));
  } catch (error) {
    if (!(error instanceof SlowwaveError)) throw error;
    return notNow(agent, error);
  }
}

/** The verdicts are kept by now, so a run that cannot start takes nothing from them. */
function notNow(agent: string, error: SlowwaveError): CommandResult {
  return {
    document: errorDocument(error),
    text: (paint) =>
      paint.red(`${agent} was not run: ${printable(error.message)}. The next run does it.`),
    exitCode: exitCodeOf(error),
  };
}
