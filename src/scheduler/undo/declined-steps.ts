import { createIssue, type Issue, issueIdOf, standingOf } from "../../model/issue.ts";
import type { JournalStep } from "../../model/run.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { PutChange } from "../changes.ts";
import { declineIssue, type Undoing } from "./invert-change.ts";
import { keyOfChange } from "./tie-changes.ts";

type IssuePut = Extract<PutChange, { kind: "issue.put" }>;

export interface Decline {
  /** Keys of what the step wrote: it is declined where one of them is taken back. */
  readonly touches: readonly string[];
  readonly change: PutChange;
}

/**
 * What the steps of a run did counts as declined once it is taken back: one closed issue a finding, as if a person had refused it, or the
 * next run would do it again. Steps about no memory, steps that only wrote issues or notes, and work whose issue is declined
 * itself need none.
 */
export async function declineSteps(
  steps: readonly JournalStep[],
  input: {
    readonly undoing: Undoing;
    readonly inverses: readonly PutChange[];
    readonly store: MemoryStore;
  },
): Promise<readonly Decline[]> {
  const { undoing, inverses, store } = input;
  const issues = inverses.filter((inverse) => inverse.kind === "issue.put");
  const settled = new Set(issues.map(({ after }) => after?.fingerprint));
  const declinedKeys = new Set(issues.filter(isDeclined).map(keyOfChange));
  const work = new Map<string, JournalStep>();
  for (const step of steps) {
    const { fingerprint, touches = [] } = step;
    if (fingerprint === undefined || settled.has(fingerprint)) continue;
    if (isAboutMemories(touches) && !touches.some((key) => declinedKeys.has(key))) {
      work.set(fingerprint, step);
    }
  }
  const known = await readIssues([...work.keys()], store);
  return [...work].flatMap(([fingerprint, step]) => {
    const change = declining(step, { fingerprint, known: known.get(fingerprint), undoing });
    return change === undefined ? [] : [{ touches: step.touches ?? [], change }];
  });
}

function isDeclined({ after }: IssuePut): boolean {
  return after !== null && standingOf(after) === "declined";
}

function isAboutMemories(touches: readonly string[]): boolean {
  return touches.some((key) => key.startsWith('["memory"') || key.startsWith('["relation"'));
}

async function readIssues(
  fingerprints: readonly string[],
  store: MemoryStore,
): Promise<ReadonlyMap<string, Issue>> {
  if (fingerprints.length === 0) return new Map();
  const found = await store.read("issue", { ids: fingerprints.map(issueIdOf) });
  return new Map(found.map((issue) => [issue.fingerprint, issue]));
}

function declining(
  step: JournalStep,
  by: {
    readonly fingerprint: string;
    readonly known: Issue | undefined;
    readonly undoing: Undoing;
  },
): PutChange | undefined {
  const { known, undoing, fingerprint } = by;
  switch (standingOf(known)) {
    case "declined":
    // A person approved it since: that is the newer word.
    case "approved":
      return undefined;
    case "waiting":
    case "done":
      return known && { kind: "issue.put", before: known, after: declineIssue(known, undoing) };
    case "none":
      return {
        kind: "issue.put",
        before: null,
        after: declineIssue(issueOf(step, fingerprint, undoing), undoing),
      };
  }
}

function issueOf(step: JournalStep, fingerprint: string, { runId, now }: Undoing): Issue {
  const { namespace, agent, action, reason, confidence, memoryIds = [] } = step;
  const issue = {
    namespace,
    title: `Undone: ${agent} ${action.replaceAll("_", " ")} of ${memoryIds.join(", ")}`,
    fingerprint,
    notes: {
      agent,
      action,
      memoryIds,
      urgency: "low",
      reason,
      scores: { confidence },
      details: { heldBy: "undone", undoneRun: runId },
    },
  } as const;
  // Revision 0: declining it is its first.
  return { ...createIssue(issue, now), revision: 0 };
}
