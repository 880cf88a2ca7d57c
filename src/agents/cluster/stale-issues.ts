import type { Issue } from "../../model/issue.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { ClusterResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { CLOSE_ISSUE, closeIssueChange, isClaimed } from "../issue-steps.ts";
import { findingFingerprint, resolveLive, uniqueLeaves } from "../leaves.ts";
import { proposed } from "../proposing.ts";
import { isOwnIssue } from "./cluster-issue.ts";
import type { Node } from "./nodes.ts";

/**
 * Issues of this agent whose memories have gone, changed, got notes of their own or become part of something else since: what is still alike
 * among them is found again, as what it is now.
 */
export function findStale(
  namespace: string,
  { context, nodes }: { readonly context: AgentContext; readonly nodes: readonly Node[] },
): readonly Issue[] {
  const nodeByMember = new Map(
    nodes.flatMap((node) =>
      node.units.flatMap(({ members }) => members.map(({ id }) => [id, node] as const)),
    ),
  );
  return context.view
    .issues()
    .filter((issue) => issue.namespace === namespace && issue.status !== "closed")
    .filter((issue) => isOwnIssue(issue) && !isClaimed(issue, context.view.now))
    .filter((issue) => isStale(issue, { context, nodeByMember }));
}

function isStale(
  issue: Issue,
  input: { readonly context: AgentContext; readonly nodeByMember: ReadonlyMap<string, Node> },
): boolean {
  const { namespace, notes, fingerprint } = issue;
  const nodes = new Set<Node>();
  for (const id of notes.memoryIds) {
    const live = resolveLive(namespace, id, input.context.view);
    if (live === undefined) return true;
    const node = input.nodeByMember.get(live.id);
    // Out of the run's scope: nothing can be said about it.
    if (node === undefined) return false;
    nodes.add(node);
  }
  const units = [...nodes].flatMap((node) => node.units);
  const leaves = uniqueLeaves(units.flatMap((unit) => unit.leaves));
  const kind = notes.action === "conflict" ? "conflict" : "merge";
  const isLinked = kind === "merge" && units.flatMap(({ anchors }) => anchors).length > 1;
  return isLinked || findingFingerprint({ kind, namespace, leaves }) !== fingerprint;
}

export function closeStale(issue: Issue, now: number): Outcome<ClusterResult> {
  const reason = "its memories have changed since; what is still alike is found again";
  return proposed({
    agent: "cluster",
    namespace: issue.namespace,
    action: CLOSE_ISSUE,
    subject: [issue.id, issue.revision],
    results: [],
    confidence: 1,
    reason,
    changes: [closeIssueChange(issue, { agent: "cluster", reason, at: now })],
    finding: { title: issue.title, urgency: issue.notes.urgency, members: [], scores: {} },
  });
}
