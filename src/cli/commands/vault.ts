import { mkdir } from "node:fs/promises";
import path from "node:path";
import { runDepsOf } from "../../api/run-deps-of.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { NoteVault } from "../../ports/note-vault.ts";
import type { View } from "../../ports/view.ts";
import { checkVault } from "../../scheduler/check-vault.ts";
import { lastWrittenNotes } from "../../scheduler/last-written.ts";
import { rebuildVault } from "../../scheduler/rebuild-vault.ts";
import { runPipeline } from "../../scheduler/run-pipeline.ts";
import { createVaultAgent } from "../../scheduler/vault-stage.ts";
import { createWorkspace } from "../../scheduler/workspace.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { runResult } from "../reporters/run-result.ts";
import { withParts } from "../with-parts.ts";

export interface SyncFlags {
  readonly dryRun?: true;
  readonly acceptDeletions?: true;
}

/** The vault's part of a run, alone. */
export async function syncNotes(context: CommandContext, flags: SyncFlags): Promise<CommandResult> {
  const mode = flags.dryRun ? "read" : "write";
  return await withParts(context, { mode, create: false }, async (parts) => {
    await readyVault(parts);
    const agent = createVaultAgent();
    const report = await runPipeline(runDepsOf(parts, { agents: [agent] }), {
      agent: agent.name,
      dryRun: flags.dryRun === true,
      acceptDeletions: flags.acceptDeletions === true,
      rateLimit: parts.config.rateLimit,
      signal: context.signal,
    });
    return runResult(report);
  });
}

export async function checkNotes(context: CommandContext): Promise<CommandResult> {
  return await withParts(context, { mode: "read", create: false }, async (parts) => {
    const vault = await readyVault(parts);
    const { checked, problems } = await checkVault({
      view: await viewOf(parts),
      vault,
      format: await parts.loadNoteFormat(),
      lastWritten: lastWrittenNotes(parts.store),
    });
    const lines = problems.map((one) => `${printable(one.path)}: ${printable(one.problem)}`);
    return {
      document: { ok: problems.length === 0, checked, problems },
      text: (paint) =>
        lines.length === 0
          ? paint.green(`${checked} notes looked at, all is well`)
          : [...lines, paint.red(`${checked} notes looked at, ${lines.length} problems`)].join(
              "\n",
            ),
      exitCode: problems.length === 0 ? 0 : 1,
    };
  });
}

export async function rebuild(
  context: CommandContext,
  flags: { readonly out: string },
): Promise<CommandResult> {
  const out = path.resolve(context.io.cwd, flags.out);
  await mkdir(out, { recursive: true });
  return await withParts(
    { ...context, globals: { ...context.globals, vault: out } },
    { mode: "read", create: false },
    async (parts) => {
      const vault = await readyVault(parts);
      const state = await vault.state();
      if (state.kind === "ready" && !state.empty) {
        throw new SlowwaveError("usage", `--out: expected an empty folder, got ${out}`, {
          hint: "Name a new folder; nothing that is there is written over.",
        });
      }
      const { written, left } = await rebuildVault({
        view: await viewOf(parts),
        vault,
        format: await parts.loadNoteFormat(),
      });
      const lines = left.map((one) => `${printable(one.path)}: ${printable(one.reason)}`);
      return {
        document: { out, written: written.length, left },
        text: () => [...lines, `wrote ${written.length} notes to ${printable(out)}`].join("\n"),
        exitCode: left.length === 0 ? 0 : 1,
      };
    },
  );
}

async function readyVault({ vault }: Parts): Promise<NoteVault> {
  if (vault === undefined) {
    throw new SlowwaveError("config", "no vault is configured", {
      hint: "Name it with --vault, or in the configuration file.",
    });
  }
  const state = await vault.state();
  if (state.kind === "ready") return vault;
  throw new SlowwaveError("vault", `vault: ${state.reason}`, {
    hint: "Make the folder, mount its drive, or choose another vault (--vault).",
  });
}

async function viewOf({ store, clock }: Parts): Promise<View> {
  return createWorkspace({ snapshot: await store.snapshot(), now: clock.now(), journal: [] }).view;
}
