import {
  closeIssueRecord,
  createIssue,
  fingerprintOf,
  type Issue,
  type NewIssue,
  standingOf,
} from "../model/issue.ts";
import { DEFAULT_NAMESPACE } from "../model/memory.ts";
import type { View } from "../ports/view.ts";
import type { AgentPlan } from "./plan.ts";

/** What becomes of the one issue that stands for all findings over the cap on new issues. */
export interface OverflowStep {
  readonly before: Issue | null;
  readonly after: Issue;
  readonly reason: string;
}

const ACTION = "not_filed";

/**
 * Findings over the cap are not lost, later runs file them; until then one issue says how many there are. It closes itself once all are filed,
 * and one that a person closed stays closed until then.
 */
export function summarizeOverflow(input: {
  readonly view: View;
  readonly agents: Readonly<Record<string, AgentPlan>>;
  readonly namespace: string | undefined;
}): OverflowStep | undefined {
  const { view, agents, namespace = DEFAULT_NAMESPACE } = input;
  const fingerprint = fingerprintOf({ agent: "queue", namespace, action: ACTION, members: [] });
  const known = view.issueByFingerprint(fingerprint);
  const isOpen = known !== undefined && known.status !== "closed" && !known.undone;
  const counts = { ...(isOpen ? keptCounts(known, agents) : {}), ...notFiled(agents) };
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0) return isOpen ? closeIt(known, view.now) : undefined;
  const finding = findingOf({ namespace, fingerprint, counts, total });
  if (known === undefined) {
    return { before: null, after: createIssue(finding, view.now), reason: finding.notes.reason };
  }
  if (isOpen) return updateIt(known, finding, view.now);
  return standingOf(known) === "done" ? reopenIt(known, finding, view.now) : undefined;
}

/** A run of one agent knows nothing of the others. */
function keptCounts(known: Issue, agents: Readonly<Record<string, AgentPlan>>) {
  return Object.fromEntries(
    Object.entries(known.notes.scores).filter(([name]) => agents[name] === undefined),
  );
}

/** How many each agent found and did not file. */
export function notFiled(
  agents: Readonly<Record<string, AgentPlan>>,
): Readonly<Record<string, number>> {
  const counts = Object.entries(agents).map(
    ([name, { held }]) => [name, held.issues_capped ?? 0] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

function findingOf(found: {
  readonly namespace: string;
  readonly fingerprint: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly total: number;
}): NewIssue {
  const { namespace, fingerprint, counts, total } = found;
  const by = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  const reason = `Over the cap on new issues in 24 hours: ${by.join(", ")}. Later runs file them`;
  return {
    namespace,
    fingerprint,
    title: `${total} more ${total === 1 ? "finding waits" : "findings wait"} to be filed`,
    notes: {
      ...{ agent: "queue", action: ACTION, memoryIds: [], urgency: "low", reason },
      ...{ scores: counts, details: {} },
    },
  };
}

function updateIt(
  before: Issue,
  { title, notes }: NewIssue,
  now: number,
): OverflowStep | undefined {
  if (before.title === title && before.notes.reason === notes.reason) return undefined;
  const revision = before.revision + 1;
  return { before, after: { ...before, title, notes, updatedAt: now, revision }, reason: title };
}

function reopenIt(before: Issue, finding: NewIssue, now: number): OverflowStep {
  const { createdAt, comments } = before;
  const fresh = createIssue(finding, now);
  const after = { ...fresh, createdAt, comments, revision: before.revision + 1 };
  return { before, after, reason: finding.notes.reason };
}

function closeIt(before: Issue, at: number): OverflowStep {
  const reason = "all of them are filed by now";
  return { before, after: closeIssueRecord(before, { reason, by: "agent:queue", at }), reason };
}
