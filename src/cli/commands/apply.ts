import { readFile } from "node:fs/promises";
import path from "node:path";
import { runDepsOf } from "../../api/run-deps-of.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { RunReport } from "../../model/run-report.ts";
import { applyPlanFile } from "../../scheduler/apply-plan-file.ts";
import { parsePlanFile } from "../../scheduler/plan-file.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { keepHeapSmall } from "../keep-heap-small.ts";
import { runDocument } from "../reporters/run-document.ts";
import { runResult } from "../reporters/run-result.ts";
import { withRunLog } from "../run-log.ts";
import { withParts } from "../with-parts.ts";

export async function apply(
  context: CommandContext,
  name: string,
  flags: { readonly only?: readonly string[]; readonly logJson?: string },
): Promise<CommandResult> {
  keepHeapSmall();
  const target = path.resolve(context.io.cwd, name);
  const file = parsePlanFile(await readPlan(target), target);
  return await withRunLog(context, { command: "apply", file: flags.logJson }, (log) =>
    withParts(context, { mode: "write", create: false }, async (parts) => {
      const report = await applyPlanFile(runDepsOf(parts), file, {
        ...(flags.only === undefined ? {} : { only: flags.only }),
        signal: context.signal,
      });
      await log.report(report);
      const { planId } = file;
      return { ...runResult(report), document: { planId, ...applyDocument(report) } };
    }),
  );
}

async function readPlan(target: string): Promise<string> {
  try {
    return await readFile(target, "utf8");
  } catch (cause) {
    throw new SlowwaveError("input", `${target}: cannot read the plan`, { cause });
  }
}

/** `applied` counts proposals; those that only open an issue too. */
function applyDocument(report: RunReport): object {
  const refused = report.fates.flatMap(({ proposal, fate, why = "" }) =>
    fate === "refused" ? [{ id: proposal.id, reason: why }] : [],
  );
  const applied = report.fates.filter(
    ({ proposal, fate }) => fate !== "refused" && proposal.changes.length > 0,
  ).length;
  return { applied, refused, ...runDocument(report) };
}
