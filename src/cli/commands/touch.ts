import { touch } from "../../api/memory-actions.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { stepResult } from "../step-result.ts";
import { withParts } from "../with-parts.ts";

export async function touchById(context: CommandContext, id: string): Promise<CommandResult> {
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const memory = await touch(parts, { id });
    return await stepResult(parts, { memory, changed: true, text: `touched ${printable(id)}` });
  });
}
