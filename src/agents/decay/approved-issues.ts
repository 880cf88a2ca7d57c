import type { Change } from "../../model/change.ts";
import { isDecayAction } from "../../model/decay-action.ts";
import type { Issue } from "../../model/issue.ts";
import { type Memory, memoryKey, reviseMemory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { DecayResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { closeIssueChange } from "../issue-steps.ts";
import { proposed } from "../proposing.ts";
import { type Assessment, assessMemory, scoreOf } from "./assess-memory.ts";
import { contentHash, contentsOf } from "./decay-issues.ts";

/**
 * Carries out what a person approved, in one step that also closes the issue: archives, or records a review. Memories that have changed
 * since, went already, or no longer are what the issue says are left alone.
 */
export function planApproved(
  issue: Issue,
  {
    context,
    takeApproved,
    settled,
  }: {
    readonly context: AgentContext;
    readonly takeApproved: () => boolean;
    /** Memories that an earlier issue settled, by `memoryKey`. */
    readonly settled: ReadonlySet<string>;
  },
): { readonly outcome: Outcome<DecayResult>; readonly settled: readonly string[] } {
  const isForgetting = issue.notes.action === "gc_candidate";
  const members = presentMembers(issue, context)
    .filter(({ memory }) => !settled.has(memoryKey(memory)))
    .filter((member) => !isForgetting || (isStillCandidate(member) && takeApproved()));
  const done = isForgetting ? "archived" : "reviewed";
  const reason = `approved: ${members.length} of ${issue.notes.memoryIds.length} ${done}`;
  const closing = { agent: "decay", reason, at: context.view.now };
  const changes: readonly Change[] = [
    ...members.map(({ memory }) => changeFor(memory, isForgetting, context.view.now)),
    closeIssueChange(issue, closing),
  ];
  const outcome = proposed({
    agent: "decay",
    namespace: issue.namespace,
    action: isForgetting ? "archive_approved" : "review",
    subject: [issue.id, issue.revision],
    results: members.map((member) => resultOf(member, { issue, context })),
    confidence: 1,
    reason,
    changes,
    finding: {
      title: issue.title,
      urgency: issue.notes.urgency,
      members: members.map(({ memory }) => memory),
      scores: {},
    },
  });
  return { outcome, settled: members.map(({ memory }) => memoryKey(memory)) };
}

interface Member {
  readonly memory: Memory;
  readonly assessment: Assessment | undefined;
}

function presentMembers(issue: Issue, context: AgentContext): readonly Member[] {
  const contents = contentsOf(issue);
  return issue.notes.memoryIds.flatMap((id) => {
    const memory = context.view.memory(issue.namespace, id);
    if (memory?.status !== "active" || !context.inScope(memory)) return [];
    const isSame = contents === undefined || contents[id] === contentHash(memory.content);
    return isSame ? [{ memory, assessment: assessMemory(memory, context) }] : [];
  });
}

function isStillCandidate({ memory, assessment }: Member): boolean {
  return assessment?.action === "gc_candidate" && !memory.pinned;
}

function changeFor(memory: Memory, isForgetting: boolean, now: number): Change {
  const after = isForgetting
    ? asForgotten(memory, now)
    : reviseMemory(memory, { reviewCount: memory.reviewCount + 1, lastReviewedAt: now });
  return { kind: "memory.put", before: memory, after };
}

/** Archived with a tombstone: out of recall, readable by id, recoverable. */
export function asForgotten(memory: Memory, now: number): Memory {
  return reviseMemory(memory, { status: "archived", archivedAt: now, archivedReason: "decayed" });
}

function resultOf(
  { memory, assessment }: Member,
  { issue, context }: { readonly issue: Issue; readonly context: AgentContext },
): DecayResult {
  const action = issue.notes.action;
  return {
    memoryId: memory.id,
    score: assessment?.score ?? scoreOf(memory, context.view, context.settings),
    urgency: issue.notes.urgency,
    action: isDecayAction(action) ? action : "needs_review",
    archived: action === "gc_candidate",
  };
}
