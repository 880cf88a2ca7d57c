import type { Change } from "../../model/change.ts";
import { type Issue, standingOf } from "../../model/issue.ts";
import { type Memory, reviseMemory } from "../../model/memory.ts";
import type { ModelReply } from "../../model/model-reply.ts";
import type { Proposal } from "../../model/proposal.ts";
import type { Relation } from "../../model/relation.ts";
import type { MergeResult } from "../../model/results.ts";
import type { View } from "../../ports/view.ts";
import { closeIssueChange } from "../issue-steps.ts";
import { membersOf } from "../leaves.ts";
import { propose } from "../proposing.ts";
import type { MergeSources } from "./merge-sources.ts";
import { type MergedRecords, mergedRecords } from "./merged-memory.ts";
import { mergedRelations } from "./merged-relations.ts";

/** The step that merges; the cap counts it. */
export const MERGE = "merge";

/**
 * Confidence: copies and what a person approved 0.99; otherwise the cohesion of the group, 0.7 at least (the verifier has found nothing
 * missing, and undo restores the sources) and 0.95 at most.
 */
const CONFIDENCE = { certain: 0.99, atLeast: 0.7, atMost: 0.95 } as const;

/** By id of a source: what it becomes in this run, and through which proposal. */
export type PlannedMerges = Map<string, { readonly id: string; readonly proposalId: string }>;

export interface MergeWork {
  readonly issue: Issue;
  readonly sources: MergeSources;
  readonly content: string;
  /** All originals say one text. */
  readonly areCopies: boolean;
  /** What a language model had to do with it. */
  readonly told?: ModelPart;
}

export interface ModelPart {
  /** For the issue: "judged by …", "worded by …", "in the sources' own words, as …". */
  readonly said: string;
  readonly replies: readonly ModelReply[];
}

/** Everything of a merge in one proposal: memory, sources, relations, issue. `undefined` where that memory exists already. */
export function proposeMerge(
  work: MergeWork,
  { planned, view }: { readonly planned: PlannedMerges; readonly view: View },
): Proposal<MergeResult> | undefined {
  const { issue, sources, content, areCopies, told } = work;
  const cohesion = areCopies ? 1 : (issue.notes.scores.cohesion ?? 0);
  const records = mergedRecords(sources, { view, content, cohesion });
  const { merged, leafIds } = records;
  const isThere = view.memory(sources.namespace, merged.id) !== undefined;
  if (isThere && sources.survivor === undefined) return undefined;
  const needed = new Set<string>();
  const plannedId = (id: string): string => {
    const plan = planned.get(id);
    if (plan !== undefined) needed.add(plan.proposalId);
    return plan?.id ?? id;
  };
  const mergedId = merged.id;
  const relations = mergedRelations({
    from: sources,
    mergedId,
    leafIds,
    cohesion,
    view,
    plannedId,
  });
  const sourceIds = sources.sources.map(({ id }) => id);
  const relationIds = relations.map(({ id }) => id);
  const outcome = propose<MergeResult>({
    agent: "merge",
    namespace: sources.namespace,
    action: MERGE,
    subject: [mergedId, issue.fingerprint],
    results: [{ newMemoryId: mergedId, sourceIds, relationIds, content }],
    confidence: confidenceOf(work, cohesion),
    reason: [`${sourceIds.length} memories become one: ${issue.notes.reason}`, told?.said ?? []]
      .flat()
      .join("; "),
    ...(told === undefined || told.replies.length === 0 ? {} : { replies: told.replies }),
    dependsOn: [...needed].sort(),
    changes: changesOf(work, { records, relations, now: view.now }),
    finding: {
      title: issue.title,
      urgency: issue.notes.urgency,
      members: membersOf(sources.leaves),
      scores: { cohesion },
    },
  });
  for (const id of sourceIds) planned.set(id, { id: mergedId, proposalId: outcome.id });
  return outcome;
}

function confidenceOf({ issue, areCopies }: MergeWork, cohesion: number): number {
  if (areCopies || standingOf(issue) === "approved") return CONFIDENCE.certain;
  return Math.min(Math.max(cohesion, CONFIDENCE.atLeast), CONFIDENCE.atMost);
}

function changesOf(
  { issue, sources, told }: MergeWork,
  made: {
    readonly records: MergedRecords;
    readonly relations: readonly Relation[];
    readonly now: number;
  },
): readonly Change[] {
  const { merged, ownLeaf } = made.records;
  const reason = [`merged into ${merged.id}`, told?.said ?? []].flat().join("; ");
  return [
    { kind: "memory.put", before: sources.survivor ?? null, after: merged },
    ...(ownLeaf ? [{ kind: "memory.put", before: null, after: ownLeaf } as const] : []),
    ...sources.sources
      .filter(({ id }) => id !== merged.id)
      .map((source) => archiveSource(source, merged.id, made.now)),
    ...made.relations.map((after) => ({ kind: "relation.put", before: null, after }) as const),
    closeIssueChange(issue, { agent: "merge", reason, at: made.now }),
  ];
}

function archiveSource(source: Memory, mergedId: string, now: number): Change {
  const after = reviseMemory(source, {
    status: "archived",
    archivedAt: now,
    archivedReason: "merged",
    supersededBy: mergedId,
  });
  return { kind: "memory.put", before: source, after };
}
