import { isDecayAction } from "../../model/decay-action.ts";
import { hashOf } from "../../model/hash.ts";
import { fingerprintOf, type Issue, type NewIssue, standingOf } from "../../model/issue.ts";
import { memoryKey } from "../../model/memory.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { isClaimed } from "../issue-steps.ts";
import { type Assessment, assessMemory, wasMergedNow } from "./assess-memory.ts";

/** What is known of earlier decay issues. */
export interface DecayIssues {
  readonly approved: readonly Issue[];
  /** Waiting issues none of whose memories is at risk in that way any more. */
  readonly healed: readonly Issue[];
  /** Filed already, or declined while the content is the same. */
  isCovered(assessment: Assessment): boolean;
  isForgettingDeclined(memoryKey: string, content: string): boolean;
}

export function readDecayIssues(context: AgentContext): DecayIssues {
  const { view } = context;
  // The gate files issues of its own, about single steps; it settles those itself.
  const mine = view
    .issues()
    .filter(({ notes }) => notes.agent === "decay" && isDecayAction(notes.action));
  const open = mine.filter(({ status }) => status !== "closed");
  const isApproved = (issue: Issue): boolean =>
    standingOf(issue) === "approved" && !isClaimed(issue, view.now);
  const waiting = open.filter((issue) => !isApproved(issue));
  const waitingKeys = new Set(
    waiting.flatMap((issue) => issue.notes.memoryIds.map((id) => keyOf(issue, id))),
  );
  const declined = new Set(
    mine.filter((issue) => standingOf(issue) === "declined").flatMap(declinedKeys),
  );
  // Mostly nothing was, and no content need be hashed for it.
  const isDeclined = (key: string, content: string): boolean =>
    declined.size > 0 && declined.has(declinedKey(key, contentHash(content)));
  return {
    approved: open.filter(isApproved),
    healed: waiting.filter((issue) => isHealed(issue, context)),
    isCovered: ({ memory, urgency, action }) => {
      const key = keyOf({ namespace: memory.namespace, notes: { urgency, action } }, memory.id);
      return waitingKeys.has(key) || isDeclined(key, memory.content);
    },
    isForgettingDeclined: isDeclined,
  };
}

/** One issue for memories at risk in the same way, at most `issueBatch` of them. */
export function decayIssueFor(batch: readonly Assessment[]): NewIssue | undefined {
  const [first] = batch;
  if (first === undefined) return undefined;
  const { urgency, action } = first;
  const { namespace } = first.memory;
  const members = batch.map(({ memory }) => memory);
  return {
    namespace,
    title: `${batch.length} ${batch.length === 1 ? "memory" : "memories"} fading: ${TITLES[action]}`,
    fingerprint: fingerprintOf({
      agent: "decay",
      namespace,
      action: `${urgency}:${action}`,
      members,
    }),
    notes: {
      agent: "decay",
      action,
      memoryIds: members.map(({ id }) => id),
      urgency,
      reason: REASONS[action],
      scores: {
        lowest: Math.min(...batch.map(({ score }) => score)),
        highest: Math.max(...batch.map(({ score }) => score)),
      },
      details: {
        contents: Object.fromEntries(members.map(({ id, content }) => [id, contentHash(content)])),
      },
    },
  };
}

const TITLES = {
  reinforce: "worth a review",
  gc_candidate: "may be archived",
  needs_review: "keep or let go?",
} as const;

const REASONS = {
  reinforce: "Used, reviewed or strong, and not seen for long. Approving records a review.",
  gc_candidate: "Never used, weak, unlinked and old. Approving archives them.",
  needs_review: "Fading, with something to say for them. Approving records a review.",
} as const;

/** The content each memory had when the issue was filed, by id. */
export function contentsOf(issue: Issue): Readonly<Record<string, string>> | undefined {
  const contents = issue.notes.details.contents;
  if (typeof contents !== "object" || contents === null || Array.isArray(contents))
    return undefined;
  return Object.fromEntries(
    Object.entries(contents).flatMap(([id, hash]) =>
      typeof hash === "string" ? [[id, hash]] : [],
    ),
  );
}

export function contentHash(content: string): string {
  return hashOf(content, 16);
}

function isHealed(issue: Issue, context: AgentContext): boolean {
  // An issue that somebody else filed, for reasons of their own, is theirs to close.
  if (contentsOf(issue) === undefined || isClaimed(issue, context.view.now)) return false;
  return issue.notes.memoryIds.every((id) => isHealedMember(issue, id, context));
}

function isHealedMember(issue: Issue, id: string, context: AgentContext): boolean {
  const { view } = context;
  const memory = view.memory(issue.namespace, id);
  if (memory === undefined) return true;
  if (wasMergedNow(memory, view)) return false;
  // Archived or promoted at this very instant: by this run's clock it still was at risk, see `assessMemory`.
  if ((memory.archivedAt ?? memory.promotedAt ?? -Infinity) >= view.now) return false;
  if (memory.status !== "active") return true;
  if (!context.inScope(memory)) return false;
  const assessment = assessMemory(memory, context);
  return assessment?.urgency !== issue.notes.urgency || assessment.action !== issue.notes.action;
}

function declinedKeys(issue: Issue): readonly string[] {
  return Object.entries(contentsOf(issue) ?? {}).flatMap(([id, hash]) => {
    const keys = [declinedKey(keyOf(issue, id), hash)];
    // Whoever declined to archive a memory wants it kept at any urgency.
    if (issue.notes.action === "gc_candidate") {
      keys.push(declinedKey(memoryKey({ namespace: issue.namespace, id }), hash));
    }
    return keys;
  });
}

function declinedKey(key: string, hash: string): string {
  return `${key} ${hash}`;
}

function keyOf(
  finding: {
    readonly namespace: string;
    readonly notes: { readonly urgency: string; readonly action: string };
  },
  id: string,
): string {
  const { namespace, notes } = finding;
  return JSON.stringify([namespace, notes.urgency, notes.action, id]);
}
