import { showMemory } from "../../api/memory-listing.ts";
import { issueView, relationView } from "../../api/memory-view.ts";
import { decayScore } from "../../model/decay-score.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { memoryDocument } from "../memory-document.ts";
import { issueLine, memoryPage, relationLine } from "../reporters/memory-text.ts";
import { withParts } from "../with-parts.ts";

export async function show(context: CommandContext, id: string): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const shown = await showMemory(parts, { id });
    const { memory, usage, relations, issues } = shown;
    const settings = parts.config.settings.decay;
    const score = decayScore({ memory, usage, now: parts.clock.now(), settings });
    return {
      document: {
        memory: memoryDocument(parts, shown),
        relations: relations.map(relationView),
        issues: issues.map(issueView),
      },
      text: (paint) =>
        [
          memoryPage(shown, score, paint),
          ...relations.map((relation) => relationLine(relation, memory.id)),
          ...issues.map((issue) => issueLine(issue, paint)),
        ].join("\n"),
    };
  });
}
