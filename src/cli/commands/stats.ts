import { stats } from "../../api/memory-listing.ts";
import { countQueue, type QueueCounts, queueWords } from "../../model/issue-queue.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { printable } from "../paint.ts";
import { withParts } from "../with-parts.ts";

export async function showStats(context: CommandContext): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const counts = await stats(parts);
    const { memories, issues } = counts;
    const queue = await countWaiting(parts);
    return {
      document: { ...counts, queue, store: parts.store.uri },
      text: () =>
        [
          `memories   ${memories.active} active, ${memories.promoted} promoted, ${memories.archived} archived`,
          `relations  ${counts.relations}`,
          `uses       ${counts.uses}`,
          `issues     ${issues.open} open, ${issues.in_progress} in progress, ${issues.blocked} blocked, ${issues.closed} closed`,
          ...(queue.waiting === 0
            ? []
            : [`           ${queue.waiting} wait for you (${queueWords(queue)})`]),
          ...namespaceLines(counts.namespaces),
        ].join("\n"),
    };
  });
}

async function countWaiting({ tracker, config, clock }: Parts): Promise<QueueCounts> {
  const { namespace } = config;
  const status = ["open", "in_progress", "blocked"] as const;
  const query = { status, ...(namespace === undefined ? {} : { namespace }) };
  return countQueue(await tracker.query(query), clock.now());
}

/** One namespace needs no line. */
function namespaceLines(namespaces: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(namespaces).sort();
  if (entries.length < 2) return [];
  return [`namespaces ${entries.map(([name, live]) => `${printable(name)} ${live}`).join(", ")}`];
}
