import { DAY_MS, toIso } from "../../model/instant.ts";
import type { Memory } from "../../model/memory.ts";
import { findGarbage, type Garbage, removeGarbage } from "../../scheduler/collect-garbage.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { oneLine, type Paint, printable } from "../paint.ts";
import { withParts } from "../with-parts.ts";

const SHOWN = 50;

export async function gc(
  context: CommandContext,
  flags: { readonly yes?: true },
): Promise<CommandResult> {
  const isLive = flags.yes === true;
  return await withParts(
    context,
    { mode: isLive ? "write" : "read", create: false },
    async (parts) => {
      const { namespace } = parts.config;
      const garbage = isLive
        ? await removeGarbage(parts, namespace)
        : await findGarbage(parts, namespace);
      const now = parts.clock.now();
      return {
        document: gcDocument(garbage, isLive),
        text: (paint) => gcText(garbage, { isLive, now, paint }),
        isIdle: garbage.memories.length === 0,
      };
    },
  );
}

function gcDocument({ memories, relations, kept }: Garbage, isLive: boolean): object {
  return {
    removed: isLive ? memories.length : 0,
    memories: memories.map(({ id, namespace, content, archivedAt = 0, archivedReason }) => ({
      ...{ id, namespace, content, archivedReason },
      archivedAt: toIso(archivedAt),
    })),
    relations: relations.length,
    kept,
  };
}

function gcText(
  { memories, kept }: Garbage,
  how: { readonly isLive: boolean; readonly now: number; readonly paint: Paint },
): string {
  const { isLive, now, paint } = how;
  const verb = isLive ? "removed for good" : "would be removed for good";
  const rest = memories.length - SHOWN;
  return [
    paint.bold(
      `${memories.length} archived ${memories.length === 1 ? "memory" : "memories"} ${verb}`,
    ),
    ...memories.slice(0, SHOWN).map((memory) => lineOf(memory, now)),
    ...(rest > 0 ? [`  … and ${rest} more; --json shows all`] : []),
    `kept: ${kept.recent} archived for less than 30 days, ${kept.pinned} pinned, ${kept.referenced} still referred to, ${kept.merged} originals of merges, ${kept.undone} of undone runs`,
    ...(isLive || memories.length === 0 ? [] : ["`slowwave gc --yes` removes them."]),
  ].join("\n");
}

function lineOf({ id, content, archivedAt = 0, archivedReason }: Memory, now: number): string {
  const days = Math.floor((now - archivedAt) / DAY_MS);
  return `  ${printable(id)}  ${archivedReason} ${days} days ago: ${oneLine(content, 70)}`;
}
