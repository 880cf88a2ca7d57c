import { forget } from "../../api/memory-actions.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { stepResult } from "../step-result.ts";
import { withParts } from "../with-parts.ts";

export async function forgetById(context: CommandContext, id: string): Promise<CommandResult> {
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
