import { listMemories } from "../../api/memory-listing.ts";
import { parseInstant } from "../../model/instant.ts";
import { MEMORY_STATUSES, type MemoryKind, type MemoryStatus } from "../../model/memory.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { memoryDocument } from "../memory-document.ts";
import { memoryLine } from "../reporters/memory-text.ts";
import { withParts } from "../with-parts.ts";

export interface ListFlags {
  readonly all?: true;
  readonly status?: readonly MemoryStatus[];
  readonly kind?: MemoryKind;
  readonly tag?: string;
  readonly since?: string;
  readonly limit?: number;
  readonly offset?: number;
}

/** What people get to read without asking for more; programs get everything. */
const READABLE = 50;

export async function list(context: CommandContext, flags: ListFlags): Promise<CommandResult> {
  const { all, since, status, ...filter } = flags;
  const limit = flags.limit ?? (context.globals.json ? undefined : READABLE);
  const statuses = status ?? (all ? MEMORY_STATUSES : undefined);
  return await withParts(context, { mode: "read" }, async (parts) => {
    const { total, memories } = await listMemories(parts, {
      ...filter,
      ...(limit === undefined ? {} : { limit }),
      ...(statuses === undefined ? {} : { status: statuses }),
      ...(since === undefined ? {} : { since: parseInstant(since, "--since") }),
    });
    const rest = total - memories.length - (flags.offset ?? 0);
    return {
      document: { total, memories: memories.map((listed) => memoryDocument(parts, listed)) },
      text: (paint) => {
        if (total === 0) return "no memories";
        const lines = memories.map(({ memory }) => memoryLine(memory, paint));
        const more = rest > 0 ? [paint.dim(`… and ${rest} more (--limit, --offset)`)] : [];
        return [...lines, ...more].join("\n");
      },
    };
  });
}
