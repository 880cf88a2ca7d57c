import { usageOf } from "../api/memory-listing.ts";
import type { Memory } from "../model/memory.ts";
import type { Parts } from "../wire.ts";
import type { CommandResult } from "./command-context.ts";
import { memoryDocument } from "./memory-document.ts";

/** What a step on one memory answers: the memory as it stands now, whether it changed, and a sentence. */
export async function stepResult(
  parts: Parts,
  step: { readonly memory: Memory; readonly changed: boolean; readonly text: string },
): Promise<CommandResult> {
  const { memory, changed, text } = step;
  const usage = await usageOf(parts, memory);
  return {
    document: { changed, memory: memoryDocument(parts, { memory, usage }) },
    text: () => text,
  };
}
