import { stats } from "../../api/memory-listing.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { withParts } from "../with-parts.ts";

export async function showStats(context: CommandContext): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const counts = await stats(parts);
    const { memories, issues } = counts;
    return {
      document: { ...counts, store: parts.store.uri },
      text: () =>
        [
          `memories   ${memories.active} active, ${memories.promoted} promoted, ${memories.archived} archived`,
          `relations  ${counts.relations}`,
          `uses       ${counts.uses}`,
          `issues     ${issues.open} open, ${issues.in_progress} in progress, ${issues.blocked} blocked, ${issues.closed} closed`,
          ...namespaceLines(counts.namespaces),
        ].join("\n"),
    };
  });
}

/** One namespace needs no line. */
function namespaceLines(namespaces: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(namespaces).sort();
  if (entries.length < 2) return [];
  return [`namespaces ${entries.map(([name, live]) => `${printable(name)} ${live}`).join(", ")}`];
}
