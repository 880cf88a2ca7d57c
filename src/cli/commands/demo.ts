import { mkdir, mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { runDepsOf } from "../../api/run-deps-of.ts";
import { loadConfig } from "../../config/load-config.ts";
import { SlowwaveError } from "../../model/errors.ts";
import { runPipeline } from "../../scheduler/run-pipeline.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { type DemoOutcome, demoText } from "../demo/demo-text.ts";
import { DEMO_NOW, fillDemo } from "../demo/fill-demo.ts";
import { pickExamples } from "../demo/pick-examples.ts";
import { createProgress, SILENT_PROGRESS } from "../progress.ts";
import { runDocument } from "../reporters/run-document.ts";
import { runResult } from "../reporters/run-result.ts";

export async function demo(
  context: CommandContext,
  flags: { readonly dir?: string },
): Promise<CommandResult> {
  if (context.globals.store !== undefined) {
    throw new SlowwaveError(
      "usage",
      "demo: --store was given, yet the demo makes a store of its own",
      {
        hint: "--dir says where to keep it.",
      },
    );
  }
  const folder = await demoFolder(context, flags.dir);
  const outcome = await playDemo(context, folder);
  const { imported, live, dry } = outcome;
  return {
    document: {
      folder,
      store: outcome.store,
      vault: outcome.vault,
      imported,
      dryRun: runDocument(dry),
      liveRun: runDocument(live),
      examples: outcome.examples,
    },
    text: (paint) => demoText(outcome, paint),
    exitCode: runResult(live).exitCode ?? 0,
  };
}

/** A folder that is empty: the demo never writes among somebody's files. */
async function demoFolder({ io }: CommandContext, dir: string | undefined): Promise<string> {
  if (dir === undefined) return await mkdtemp(path.join(tmpdir(), "slowwave-demo-"));
  const folder = path.resolve(io.cwd, dir);
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length === 0) return folder;
  throw new SlowwaveError("usage", `--dir: expected a new or empty folder, ${folder} holds files`, {
    hint: "Name another folder, or leave --dir out for a temporary one.",
  });
}

async function playDemo(context: CommandContext, folder: string): Promise<DemoOutcome> {
  const { io, globals, signal } = context;
  const store = path.join(folder, "store");
  const vault = globals.vault ? path.resolve(io.cwd, globals.vault) : path.join(folder, "vault");
  await mkdir(vault, { recursive: true });
  // Nothing of the user's own configuration: the demo is to show the same thing everywhere.
  const env = { SLOWWAVE_HOME: folder };
  const config = await loadConfig({ env, flags: { store, vault } });
  const progress = globals.quiet ? SILENT_PROGRESS : createProgress(io.stderr);
  const parts = await context.openParts({ config, mode: "write", asOf: DEMO_NOW, progress });
  try {
    const imported = await fillDemo(parts, signal);
    const dry = await runPipeline(runDepsOf(parts), { dryRun: true, signal });
    const live = await runPipeline(runDepsOf(parts), { signal });
    return { folder, store, vault, imported, dry, live, examples: pickExamples(live) };
  } finally {
    await parts.close();
  }
}
