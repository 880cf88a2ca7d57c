import { rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { runDepsOf } from "../../api/run-deps-of.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { RunReport } from "../../model/run-report.ts";
import { createPlanFile, type PlanFile } from "../../scheduler/plan-file.ts";
import { planRun } from "../../scheduler/run-pipeline.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { keepHeapSmall } from "../keep-heap-small.ts";
import { createPaint, printable } from "../paint.ts";
import { runDocument } from "../reporters/run-document.ts";
import { runText } from "../reporters/run-text.ts";
import { withParts } from "../with-parts.ts";
import { optionsOf, type RunFlags } from "./run.ts";

export type PlanFlags = Pick<RunFlags, "agent" | "limit" | "tag" | "kind" | "since"> & {
  readonly out?: string;
};

export async function plan(context: CommandContext, flags: PlanFlags): Promise<CommandResult> {
  keepHeapSmall();
  return await withParts(context, { mode: "read", create: false }, async (parts) => {
    const deps = runDepsOf(parts);
    const made = await planRun(deps, optionsOf(flags, parts, context.signal));
    const { report } = made;
    // What it cost is left out of the file: from replies that are kept already the same plan costs nothing.
    const { modelUse: _use, ...told } = report;
    const summary = runText(told, PLAIN).split("\n");
    const file = createPlanFile({ ...made, deps, summary });
    const target = flags.out === undefined ? undefined : path.resolve(context.io.cwd, flags.out);
    if (target !== undefined) await writePlan(file, target);
    return {
      document: planDocument({ file, report, target }),
      text: (paint) => [runText(report, paint), ...whatNext(file, target)].join("\n"),
      exitCode: report.run.status === "completed" ? 0 : 1,
      isIdle: file.proposals.every(({ changes }) => changes.length === 0),
    };
  });
}

const PLAIN = createPaint({ stdout: { write: () => undefined, isTTY: false }, env: {} });

function planDocument(made: {
  readonly file: PlanFile;
  readonly report: RunReport;
  readonly target: string | undefined;
}): object {
  const { planId, hash, storeId, baseVersion } = made.file;
  const path = made.target ?? null;
  return { planId, hash, path, storeId, baseVersion, ...runDocument(made.report) };
}

function whatNext({ planId }: PlanFile, target: string | undefined): readonly string[] {
  if (target === undefined) return ["`slowwave plan --out FILE` keeps the plan."];
  const file = printable(target);
  return [`${planId} is in ${file}.`, `\`slowwave apply ${file}\` does exactly this.`];
}

/** Beside its place and renamed: an earlier plan stays whole until then. Notes and memories may be private. */
async function writePlan(file: PlanFile, target: string): Promise<void> {
  const draft = `${target}.new`;
  try {
    await writeFile(draft, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, target);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new SlowwaveError("input", `${target}: cannot write the plan`, {
      cause,
      hint: "Check that the folder exists, can be written, and has space.",
    });
  }
}
