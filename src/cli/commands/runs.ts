import { SlowwaveError } from "../../model/errors.ts";
import { toIso } from "../../model/instant.ts";
import type { Run } from "../../model/run.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { runLine, runPage } from "../reporters/run-page.ts";
import { withParts } from "../with-parts.ts";

export async function listRuns(
  context: CommandContext,
  flags: { readonly limit?: number },
): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const stored = await parts.store.read("run");
    const runs = stored
      .toSorted((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1))
      .slice(0, flags.limit);
    return {
      document: { runs: runs.map(runView) },
      text: (paint) =>
        runs.length === 0 ? "no runs yet" : runs.map((run) => runLine(run, paint)).join("\n"),
    };
  });
}

export async function showRun(context: CommandContext, id: string): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const run = (await parts.store.read("run")).find((one) => one.id === id);
    if (run === undefined) throw runNotFound(id);
    const journal = await parts.store.read("journal", { since: run.startedAt });
    const entries = journal
      .filter((entry) => entry.runId === id)
      .toSorted((a, b) => a.batch - b.batch);
    const steps = entries.flatMap((entry) =>
      entry.steps.map((step) => ({ ...step, batch: entry.batch, state: entry.state })),
    );
    return {
      document: { run: runView(run), steps },
      text: (paint) => runPage(run, steps, paint),
    };
  });
}

function runNotFound(id: string): SlowwaveError {
  return new SlowwaveError("not_found", `run ${JSON.stringify(id)}: there is none with this id`, {
    hint: "`slowwave runs` lists them.",
  });
}

function runView(run: Run): object {
  return {
    ...run,
    dryRun: false,
    asOf: toIso(run.asOf),
    startedAt: toIso(run.startedAt),
    finishedAt: run.finishedAt === undefined ? null : toIso(run.finishedAt),
  };
}
