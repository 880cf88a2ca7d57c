import type { Issue } from "../../model/issue.ts";
import type { Parts } from "../../wire.ts";

/** A tracker outside of the store keeps its issues and their history: only its own command takes them away. */
export function trackerRemains({ mirror }: Parts, issues: readonly Issue[]): readonly string[] {
  if (mirror === undefined || issues.length === 0) return [];
  const ids = issues.map(({ id }) => id).join(" ");
  return [
    `beads keeps the issues that spoke of it, and their history wherever it was pushed: bd delete --force ${ids}`,
  ];
}
