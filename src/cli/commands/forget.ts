import { forget } from "../../api/memory-actions.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { stepResult } from "../step-result.ts";
import { withParts } from "../with-parts.ts";

export interface ForgetFlags {
  readonly purge?: true;
  readonly dryRun?: true;
  readonly yes?: true;
}

export async function forgetById(
  context: CommandContext,
  id: string,
  flags: ForgetFlags,
): Promise<CommandResult> {
  if (flags.purge) return await (await import("./purge.ts")).purge(context, id, flags);
  if (flags.dryRun || flags.yes) {
    throw new SlowwaveError("usage", "--dry-run and --yes belong to --purge", {
      hint: "`slowwave forget` alone archives, and `slowwave restore` brings back.",
    });
  }
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const result = await forget(parts, { id });
    const { memory, changed } = result;
    const note = memory.vaultPath;
    const text = [
      changed
        ? `archived ${printable(id)}; \`slowwave restore\` brings it back`
        : `${printable(id)} was archived already (${memory.archivedReason ?? "unknown"})`,
      ...(note === undefined
        ? []
        : [`the next run moves its note ${printable(note)} to the archive`]),
    ].join("\n");
    return await stepResult(parts, { ...result, text });
  });
}
