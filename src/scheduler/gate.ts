import { AGENT_NAMES } from "../model/agent-name.ts";
import type { Change } from "../model/change.ts";
import { hashOf } from "../model/hash.ts";
import { DAY_MS, type Instant } from "../model/instant.ts";
import {
  closeIssueRecord,
  createIssue,
  fingerprintOf,
  type Issue,
  type IssueNotes,
  OPEN_ISSUE,
  standingOf,
} from "../model/issue.ts";
import type { JsonValue } from "../model/json.ts";
import type { Proposal } from "../model/proposal.ts";
import type { Settings } from "../model/settings.ts";
import type { View } from "../ports/view.ts";
import { keysOf } from "./changes.ts";

/** What the gate makes of a proposal. */
export type Decision =
  | { readonly fate: "apply"; readonly changes: readonly Change[] }
  /** `changes` open the issue, or are empty where it is open already. */
  | { readonly fate: "wait"; readonly changes: readonly Change[]; readonly why: string }
  | { readonly fate: "hold"; readonly why: string }
  | { readonly fate: "none" };

export interface Gate {
  decide(proposal: Proposal<unknown>): Decision;
}

/**
 * Confidence ≥ 0.7 applies (0.7 to 0.9 is marked in the journal by its confidence), less waits for a person, and so does any action that
 * the policy tightens. A finding that a person declined is not proposed again until a source changes.
 */
export function createGate(input: {
  readonly view: View;
  readonly settings: Settings;
  /** Memories whose promotion a person asks for now, whatever was declined before. */
  readonly forced: ReadonlySet<string>;
}): Gate {
  const state: GateState = { ...input, stopped: new Set(), opened: new Map() };
  return {
    decide: (proposal) => {
      const decision = decide(proposal, state);
      if (decision.fate === "wait" || decision.fate === "hold") state.stopped.add(proposal.id);
      return decision;
    },
  };
}

interface GateState {
  readonly view: View;
  readonly settings: Settings;
  readonly forced: ReadonlySet<string>;
  /** Proposals that wait or are held: what depends on them is held too. */
  readonly stopped: Set<string>;
  /** Issues opened by this gate, by namespace. */
  readonly opened: Map<string, number>;
}

function decide(proposal: Proposal<unknown>, state: GateState): Decision {
  if (proposal.changes.length === 0) return { fate: "none" };
  if (proposal.dependsOn.some((id) => state.stopped.has(id))) {
    return { fate: "hold", why: "needs_a_held_proposal" };
  }
  const fingerprint = fingerprintOfProposal(proposal);
  const issue = state.view.issueByFingerprint(fingerprint);
  if (standingOf(issue) === "declined" && !isForced(proposal, state)) {
    return { fate: "hold", why: "declined" };
  }
  const why = whyWait(proposal, state.settings);
  if (why === undefined) return { fate: "apply", changes: proposal.changes };
  return decideReview({ proposal, fingerprint, why, replaced: issue, now: state.view.now }, state);
}

function isForced({ finding }: Proposal<unknown>, { forced }: GateState): boolean {
  return finding.members.length > 0 && finding.members.every(({ id }) => forced.has(id));
}

interface Review {
  readonly proposal: Proposal<unknown>;
  readonly fingerprint: string;
  readonly why: string;
  readonly replaced: Issue | undefined;
  readonly now: Instant;
}

function decideReview(review: Review, state: GateState): Decision {
  const { proposal, replaced, why } = review;
  const standing = standingOf(replaced);
  if (standing === "approved") return applyApproved(proposal, replaced, review.now);
  if (standing === "waiting") return { fate: "wait", why, changes: [] };
  if (isIssueCapReached(proposal, state)) return { fate: "hold", why: "issues_capped" };
  state.opened.set(proposal.namespace, (state.opened.get(proposal.namespace) ?? 0) + 1);
  const opening: Change = { kind: "issue.put", before: replaced ?? null, after: issueFor(review) };
  return { fate: "wait", why, changes: [opening] };
}

/** Of the five agents together, and of the one that proposes, which may be somebody's own. */
function isIssueCapReached({ namespace, agent }: Proposal<unknown>, state: GateState): boolean {
  const since = state.view.now - DAY_MS;
  const before = [...new Set([...AGENT_NAMES, agent])]
    .map((name) => state.view.appliedSince({ agent: name, action: OPEN_ISSUE, namespace, since }))
    .reduce((sum, count) => sum + count, 0);
  return before + (state.opened.get(namespace) ?? 0) >= state.settings.issuesPerDay;
}

export function fingerprintOfProposal(proposal: Proposal<unknown>): string {
  return fingerprintOf({
    agent: proposal.agent,
    namespace: proposal.namespace,
    action: proposal.action,
    members: proposal.finding.members,
  });
}

function whyWait(proposal: Proposal<unknown>, settings: Settings): string | undefined {
  const named = `${proposal.agent}.${proposal.action}`;
  if (settings.policy[named] ?? settings.policy[proposal.agent]) return "policy";
  return proposal.confidence < settings.reviewConfidence ? "low_confidence" : undefined;
}

function applyApproved(
  proposal: Proposal<unknown>,
  issue: Issue | undefined,
  now: Instant,
): Decision {
  if (issue === undefined || issue.status === "closed")
    return { fate: "apply", changes: proposal.changes };
  const closed = closeIssueRecord(issue, {
    reason: "approved and applied",
    by: `agent:${proposal.agent}`,
    at: now,
  });
  const closing: Change = { kind: "issue.put", before: issue, after: closed };
  return { fate: "apply", changes: [...proposal.changes, closing] };
}

/** Issues travel to trackers and exports, and a memory may hold a secret: what waits is named, and told apart by hashes, without its text. */
function referenceTo(change: Change): JsonValue {
  if (change.kind === "note.move") return { ...change };
  const { kind, before, after } = change;
  const imageHash = (image: object | null): string | null => image && hashOf(image, 16);
  return { kind, key: [...keysOf(change)], before: imageHash(before), after: imageHash(after) };
}

/** The same finding may wait again after an agent closed its issue: the record goes on, with its history. */
function issueFor(review: Review): Issue {
  const { proposal, replaced } = review;
  const notes: IssueNotes = {
    agent: proposal.agent,
    action: proposal.action,
    memoryIds: proposal.finding.members.map((member) => member.id),
    urgency: proposal.finding.urgency,
    reason: proposal.reason,
    scores: { ...proposal.finding.scores, confidence: proposal.confidence },
    details: { heldBy: review.why },
    waiting: proposal.changes.map(referenceTo),
  };
  const { namespace, finding } = proposal;
  const fresh = createIssue(
    { namespace, title: finding.title, notes, fingerprint: review.fingerprint },
    review.now,
  );
  if (replaced === undefined) return fresh;
  return {
    ...fresh,
    createdAt: replaced.createdAt,
    comments: [
      ...replaced.comments,
      { author: `agent:${proposal.agent}`, at: review.now, text: "found again" },
    ],
    revision: replaced.revision + 1,
  };
}
