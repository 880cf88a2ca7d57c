import { restore } from "../../api/memory-actions.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { stepResult } from "../step-result.ts";
import { withParts } from "../with-parts.ts";

export async function restoreById(context: CommandContext, id: string): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const { memory, changed, mergedInto } = await restore(parts, { id });
    const text = [
      changed ? `${printable(id)} lives again` : `${printable(id)} was not archived`,
      ...(mergedInto === undefined
        ? []
        : [`it had been merged: ${printable(mergedInto)}, which holds its facts too, remains`]),
    ].join("\n");
    const result = await stepResult(parts, { memory, changed, text });
    return { ...result, document: { ...result.document, mergedInto: mergedInto ?? null } };
  });
}
