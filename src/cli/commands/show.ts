import { type ShownMemory, showMemory } from "../../api/memory-listing.ts";
import { issueView, relationView } from "../../api/memory-view.ts";
import { decayScore } from "../../model/decay-score.ts";
import { SlowwaveError } from "../../model/errors.ts";
import type { Issue } from "../../model/issue.ts";
import type { Parts } from "../../wire.ts";
import type { CommandContext, CommandResult } from "../command-context.ts";
import { type Explanation, explainIssue, explanationLines } from "../explain/explain-pairs.ts";
import { memoryDocument } from "../memory-document.ts";
import { issueLine, memoryPage, relationLine } from "../reporters/memory-text.ts";
import { withParts } from "../with-parts.ts";
import { issueResult } from "./issues-list.ts";

/** A memory by its id, or an issue where no memory has it. */
export async function show(context: CommandContext, id: string): Promise<CommandResult> {
  return await withParts(context, { mode: "read" }, async (parts) => {
    const found = await findShown(parts, id);
    return found.kind === "issue"
      ? await issueResult(found.issue, parts)
      : await memoryResult(found.shown, parts);
  });
}

type Found =
  | { readonly kind: "memory"; readonly shown: ShownMemory }
  | { readonly kind: "issue"; readonly issue: Issue };

async function findShown(parts: Parts, id: string): Promise<Found> {
  try {
    return { kind: "memory", shown: await showMemory(parts, { id }) };
  } catch (error) {
    if (!(error instanceof SlowwaveError) || error.code !== "not_found") throw error;
    const issue = await parts.tracker.get(id);
    if (issue === undefined) throw error;
    return { kind: "issue", issue };
  }
}

async function memoryResult(shown: ShownMemory, parts: Parts): Promise<CommandResult> {
  const { memory, usage, relations, issues } = shown;
  const settings = parts.config.settings.decay;
  const score = decayScore({ memory, usage, now: parts.clock.now(), settings });
  const explained = await Promise.all(
    issues.map(async (issue) => ({ issue, ...(await explainFor(memory.id, issue, parts)) })),
  );
  const explanations = explained
    .filter(({ pairs, unexplained }) => pairs.length > 0 || unexplained !== undefined)
    .map(({ issue, ...explanation }) => ({ issue: issue.id, ...explanation }));
  return {
    document: {
      memory: memoryDocument(parts, shown),
      relations: relations.map(relationView),
      issues: issues.map(issueView),
      explanations,
    },
    text: (paint) =>
      [
        memoryPage(shown, score, paint),
        ...relations.map((relation) => relationLine(relation, memory.id)),
        ...explained.flatMap(({ issue, ...explanation }) => [
          issueLine(issue, paint),
          ...explanationLines(explanation).map((line) => `  ${line}`),
        ]),
      ].join("\n"),
  };
}

/** The pairs of an issue that waits in which the memory is one of the two. */
async function explainFor(id: string, issue: Issue, parts: Parts): Promise<Explanation> {
  if (issue.status === "closed") return { pairs: [] };
  const memories = await parts.store.read("memory", {
    namespace: issue.namespace,
    ids: issue.notes.memoryIds,
  });
  const { pairs, ...rest } = await explainIssue(issue, memories, parts);
  return { pairs: pairs.filter(({ a, b }) => a === id || b === id), ...rest };
}
