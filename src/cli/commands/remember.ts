import { usageOf } from "../../api/memory-listing.ts";
import { type RememberResult, remember } from "../../api/remember.ts";
import type { MemoryKind } from "../../model/memory.ts";
import { postSaveHook } from "../../scheduler/post-save-hook.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { memoryDocument } from "../memory-document.ts";
import { type Paint, printable } from "../paint.ts";
import { readStdin } from "../read-stdin.ts";
import { withParts } from "../with-parts.ts";

export interface RememberFlags {
  readonly tag?: readonly string[];
  readonly entity?: readonly string[];
  readonly kind?: MemoryKind;
  readonly source?: string;
  readonly context?: string;
  readonly strength?: number;
}

export async function rememberText(
  context: CommandContext,
  words: readonly string[],
  { tag, entity, ...flags }: RememberFlags,
): Promise<CommandResult> {
  const text = words.length === 1 && words[0] === "-" ? await readStdin(context) : words.join(" ");
  return await withParts(context, { mode: "write" }, async (parts) => {
    const result = await remember(parts, {
      text,
      ...flags,
      ...(tag === undefined ? {} : { tags: tag }),
      ...(entity === undefined ? {} : { entities: entity }),
    });
    const usage = await usageOf(parts, result.memory);
    const settings = parts.config.settings;
    const urgent = await postSaveHook(
      { store: parts.store, clock: parts.clock, settings },
      result.memory,
    );
    const memory = memoryDocument(parts, { memory: result.memory, usage });
    return {
      document: { outcome: result.outcome, memory, urgent },
      text: (paint) => describe(result, paint),
    };
  });
}

function describe({ outcome, memory }: RememberResult, paint: Paint): string {
  const id = paint.bold(printable(memory.id));
  switch (outcome) {
    case "added":
      return `remembered ${id}`;
    case "reinforced":
      return `known already: ${id} is reinforced, nothing was added`;
    case "restored":
      return `known from before: ${id} was archived and lives again`;
  }
}
