import type { Issue } from "../../model/issue.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { ClusterResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { isClaimed } from "../issue-steps.ts";
import { findingFingerprint, resolveLive, uniqueLeaves } from "../leaves.ts";
import { proposeClosing } from "../propose-closing.ts";
import { isOwnIssue } from "./cluster-issue.ts";
import type { Finding } from "./findings.ts";
import type { Node } from "./nodes.ts";

/**
 * Issues of this agent whose memories have gone, changed, got notes of their own or become part of something else since: what is still alike
 * among them is found again, as what it is now.
 */
export function findStale(
  namespace: string,
  found: {
    readonly context: AgentContext;
    readonly nodes: readonly Node[];
    /** Memories that this run archives, and the issues that it closes for it. */
    readonly losers: ReadonlySet<string>;
    readonly settled: ReadonlySet<string>;
    readonly findings: readonly Finding[];
  },
): readonly Issue[] {
  const { context, nodes } = found;
  const nodeByMember = new Map(
    nodes.flatMap((node) =>
      node.units.flatMap(({ members }) => members.map(({ id }) => [id, node] as const)),
    ),
  );
  const conflicts = new Set(
    found.findings
      .filter(({ kind }) => kind === "conflict")
      .map((conflict) => conflict.fingerprint),
  );
  return context.view
    .issues()
    .filter((issue) => issue.namespace === namespace && issue.status !== "closed")
    .filter((issue) => isOwnIssue(issue) && !isClaimed(issue, context.view.now))
    .filter(({ fingerprint }) => !found.settled.has(fingerprint))
    .filter((issue) => isStale(issue, { ...found, nodeByMember, conflicts }));
}

function isStale(
  issue: Issue,
  input: {
    readonly context: AgentContext;
    readonly nodeByMember: ReadonlyMap<string, Node>;
    readonly losers: ReadonlySet<string>;
    /** Fingerprints of the contradictions that were found. */
    readonly conflicts: ReadonlySet<string>;
  },
): boolean {
  const { namespace, notes, fingerprint } = issue;
  const nodes = new Set<Node>();
  for (const id of notes.memoryIds) {
    const live = resolveLive(namespace, id, input.context.view);
    if (live === undefined || input.losers.has(live.id)) return true;
    const node = input.nodeByMember.get(live.id);
    // Out of the run's scope: nothing can be said about it.
    if (node === undefined) return false;
    nodes.add(node);
  }
  // The texts may be as they were, and speak of other periods now.
  if (notes.action === "conflict") return !input.conflicts.has(fingerprint);
  const units = [...nodes].flatMap((node) => node.units);
  const leaves = uniqueLeaves(units.flatMap((unit) => unit.leaves));
  const isLinked = units.flatMap(({ anchors }) => anchors).length > 1;
  return isLinked || findingFingerprint({ kind: "merge", namespace, leaves }) !== fingerprint;
}

export function closeStale(issue: Issue, now: number): Outcome<ClusterResult> {
  const reason = "its memories have changed since; what is still alike is found again";
  return proposeClosing(issue, { agent: "cluster", reason, at: now });
}
