import { setPinned } from "../../api/memory-actions.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { stepResult } from "../step-result.ts";
import { withParts } from "../with-parts.ts";

export async function pinById(
  context: CommandContext,
  id: string,
  flags: { readonly off?: true },
): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const result = await setPinned(parts, { id }, !flags.off);
    const state = flags.off ? "not pinned" : "pinned";
    const text = `${printable(id)} is ${state}${result.changed ? "" : " already"}`;
    return await stepResult(parts, { ...result, text });
  });
}
