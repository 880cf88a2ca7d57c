import type { Issue, Urgency } from "../../model/issue.ts";
import { waitsForPerson } from "../../model/issue-queue.ts";
import type { Memory } from "../../model/memory.ts";
import type { Parts } from "../../wire.ts";

export interface WaitingFilter {
  readonly agent?: string;
  readonly urgency?: Urgency;
  readonly limit?: number;
}

/** An issue that a person has to decide, with the memories it speaks of, in the issue's order. */
export interface WaitingIssue {
  readonly issue: Issue;
  readonly memories: readonly Memory[];
}

/** Most urgent first. What is approved, taken by somebody, or merges by itself does not wait. */
export async function readWaiting(
  { tracker, store, config, clock }: Parts,
  { limit, ...filter }: WaitingFilter,
): Promise<readonly WaitingIssue[]> {
  const { namespace } = config;
  const issues = await tracker.query({
    ...filter,
    ...(namespace === undefined ? {} : { namespace }),
    status: ["open", "in_progress", "blocked"],
  });
  const waiting = issues.filter((issue) => waitsForPerson(issue, clock.now())).slice(0, limit);
  const read: WaitingIssue[] = [];
  for (const issue of waiting) {
    const ids = issue.notes.memoryIds;
    // In turn: a store answers one question at a time.
    const found = await store.read("memory", { namespace: issue.namespace, ids });
    const byId = new Map(found.map((memory) => [memory.id, memory]));
    read.push({ issue, memories: ids.flatMap((id) => byId.get(id) ?? []) });
  }
  return read;
}
