import { fingerprintOf, ISSUE_LABELS, type Issue, standingOf } from "../../model/issue.ts";
import { type Memory, memoryKey } from "../../model/memory.ts";
import type { Label, LabelledTexts } from "./read-labels.ts";

/**
 * What people decided about the cluster agent's findings, as labelled pairs. An approved merge says that each two of its memories are
 * duplicates, an approved contradiction that the two contradict, a merge of two that was declined that they are related. What else a
 * no could mean stays open: of three memories any one may be the odd one out. Memories that were edited since say nothing any more.
 */
export function labelsOfReviews(
  issues: readonly Issue[],
  memories: readonly Memory[],
): readonly LabelledTexts[] {
  const byKey = new Map(memories.map((memory) => [memoryKey(memory), memory]));
  return issues.flatMap((issue) => {
    const { agent, action, memoryIds } = issue.notes;
    const label = agent === "cluster" && !issue.undone ? labelOf(issue) : undefined;
    if (label === undefined) return [];
    const members = memoryIds.flatMap(
      (id) => byKey.get(memoryKey({ id, namespace: issue.namespace })) ?? [],
    );
    const { namespace, fingerprint } = issue;
    const isAsReviewed = fingerprintOf({ agent, namespace, action, members }) === fingerprint;
    return isAsReviewed ? pairsOf(members, label) : [];
  });
}

function labelOf(issue: Issue): Label | undefined {
  const { action, memoryIds } = issue.notes;
  const isPair = memoryIds.length === 2;
  const isMerge = action === "llm_review" || action === "auto_merge";
  // Only a person puts this label on; work that was done without it was the agent's own idea.
  if (issue.labels.includes(ISSUE_LABELS.approved)) {
    if (isMerge) return "duplicate";
    return action === "conflict" && isPair ? "contradiction" : undefined;
  }
  return standingOf(issue) === "declined" && isMerge && isPair ? "related" : undefined;
}

function pairsOf(members: readonly Memory[], label: Label): readonly LabelledTexts[] {
  return members.flatMap(({ content: a }, index) =>
    members.slice(index + 1).map(({ content: b }) => ({ a, b, label })),
  );
}
