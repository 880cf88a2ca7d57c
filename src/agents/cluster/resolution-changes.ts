import type { Change } from "../../model/change.ts";
import {
  closeIssueRecord,
  createIssue,
  type Issue,
  type IssueNotes,
  type Urgency,
} from "../../model/issue.ts";
import { type Memory, reviseMemory } from "../../model/memory.ts";
import { RELATION_TYPES, relationId } from "../../model/relation.ts";
import type { View } from "../../ports/view.ts";
import { clusterIssueFor } from "./cluster-issue.ts";
import { openDisputesBetween, settle } from "./dispute-changes.ts";
import type { Resolution } from "./judge-contradiction.ts";

export const SUPERSEDED = "one side was superseded";

/** Winner and losers are written in one commit: the old goes with the new in place, keeps its words and provenance, and undo brings it back. */
export function resolutionChanges(
  resolution: Resolution,
  { view, urgency }: { readonly view: View; readonly urgency: Urgency },
): readonly Change[] {
  const { winner, losers } = resolution;
  return [
    ...losers.map((loser) => archive(loser, resolution, view)),
    ...losers.flatMap((loser) => supersedes(winner, loser, { resolution, view })),
    ...losers.flatMap((loser) =>
      openDisputesBetween(winner, loser, view).map((relation) => settle(relation, SUPERSEDED)),
    ),
    settleIssue(resolution, { view, urgency }),
  ];
}

function archive(loser: Memory, { winner, validTo }: Resolution, { now }: View): Change {
  const after = reviseMemory(loser, {
    status: "archived",
    archivedAt: now,
    archivedReason: "superseded",
    supersededBy: winner.id,
    validTo: Math.min(loser.validTo ?? Number.POSITIVE_INFINITY, validTo),
    disputed: false,
  });
  return { kind: "memory.put", before: loser, after };
}

function supersedes(
  winner: Memory,
  loser: Memory,
  { resolution, view }: { readonly resolution: Resolution; readonly view: View },
): readonly Change[] {
  const { namespace } = winner;
  const link = { namespace, from: winner.id, to: loser.id, type: RELATION_TYPES.supersedes };
  const id = relationId(link);
  if (view.relation(namespace, id) !== undefined) return [];
  const after = {
    ...link,
    id,
    strength: 1,
    reason: resolution.reason,
    metadata: {},
    createdAt: view.now,
    revision: 1,
  };
  return [{ kind: "relation.put", before: null, after }];
}

/** Filed and closed in one where nobody had seen it yet: what a person undoes must count as declined. */
function settleIssue(
  { finding, winner, losers, reason }: Resolution,
  { view, urgency }: { readonly view: View; readonly urgency: Urgency },
): Change {
  const known = view.issueByFingerprint(finding.fingerprint);
  const issue = known ?? createIssue(clusterIssueFor(finding, urgency), view.now);
  const details = {
    ...issue.notes.details,
    resolution: { kept: winner.id, superseded: losers.map(({ id }) => id) },
  };
  const notes: IssueNotes = { ...issue.notes, details };
  const closing = { reason, by: "agent:cluster", at: view.now };
  const closed: Issue = closeIssueRecord({ ...issue, notes }, closing);
  return {
    kind: "issue.put",
    before: known ?? null,
    after: { ...closed, revision: (known?.revision ?? 0) + 1 },
  };
}
