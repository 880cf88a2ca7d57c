import { runDepsOf } from "../../api/run-deps-of.ts";
import { toIso } from "../../model/instant.ts";
import { type UndoReport, undoRun } from "../../scheduler/undo/undo-run.ts";
import type { CommandContext, CommandResult, ExitCode } from "../command-context.ts";
import { type Paint, printable } from "../paint.ts";
import { withParts } from "../with-parts.ts";

export async function undo(
  context: CommandContext,
  id: string,
  flags: { readonly dryRun?: true },
): Promise<CommandResult> {
  const dryRun = flags.dryRun === true;
  return await withParts(
    context,
    { mode: dryRun ? "read" : "write", create: false },
    async (parts) => {
      const report = await undoRun(runDepsOf(parts), id, { dryRun, signal: context.signal });
      return {
        document: undoDocument(report),
        text: (paint) => undoText(report, paint),
        exitCode: exitCodeOf(report),
        isIdle: report.applied === 0 && report.refused.length === 0,
      };
    },
  );
}

function exitCodeOf({ run, refused }: UndoReport): ExitCode {
  if (run.status === "interrupted") return 130;
  return run.status === "completed" && refused.length === 0 ? 0 : 1;
}

function undoDocument({ run, undoes, applied, refused, notes }: UndoReport): object {
  return { run: { ...run, asOf: toIso(run.asOf) }, undoes, applied, refused, notes };
}

function undoText({ run, undoes, applied, refused, notes }: UndoReport, paint: Paint): string {
  const title = run.dryRun
    ? `${paint.bold(`undo of ${undoes}`)}, dry: would take back ${applied}, nothing was written`
    : `${paint.bold(`undo of ${undoes}`)}: took back ${applied} (run ${run.id})`;
  return [
    title,
    ...refused.map(
      ({ id, reason }) => `  ${paint.red("stays")} ${printable(id)}: ${printable(reason)}`,
    ),
    ...notes.map((note) => `note: ${printable(note)}`),
    ...(applied === 0 && refused.length === 0 ? ["There was nothing to take back."] : []),
  ].join("\n");
}
