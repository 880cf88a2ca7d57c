import { edit } from "../../api/memory-actions.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { MemoryKind } from "../../model/memory.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { readStdin } from "../read-stdin.ts";
import { stepResult } from "../step-result.ts";
import { withParts } from "../with-parts.ts";

export interface EditFlags {
  readonly content?: string;
  readonly tag?: readonly string[];
  readonly addTag?: readonly string[];
  readonly removeTag?: readonly string[];
  readonly entity?: readonly string[];
  readonly kind?: MemoryKind;
  readonly source?: string;
  readonly context?: string;
  readonly strength?: number;
}

export async function editById(
  context: CommandContext,
  id: string,
  { tag, addTag, removeTag, entity, content, ...flags }: EditFlags,
): Promise<CommandResult> {
  const given = { tags: tag, addTags: addTag, removeTags: removeTag, entities: entity };
  const lists = Object.fromEntries(Object.entries(given).filter(([, list]) => list !== undefined));
  const text = content === "-" ? await readStdin(context) : content;
  const input = { ...flags, ...lists, ...(text === undefined ? {} : { content: text }) };
  if (Object.keys(input).length === 0) {
    throw new SlowwaveError("usage", "edit: expected something to change", {
      hint: 'For example: slowwave edit <id> --content "the new text" --add-tag work',
    });
  }
  return await withParts(context, { mode: "write", create: false }, async (parts) => {
    const result = await edit(parts, { id }, input);
    const text = result.changed
      ? `changed ${printable(id)}`
      : `${printable(id)} is so already, nothing was changed`;
    return await stepResult(parts, { ...result, text });
  });
}
