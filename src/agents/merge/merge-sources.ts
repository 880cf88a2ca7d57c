import { fingerprintOf, type Issue } from "../../model/issue.ts";
import type { Memory } from "../../model/memory.ts";
import type { AgentContext } from "../../ports/agent.ts";
import {
  findingFingerprint,
  isAnchored,
  type Leaf,
  leavesOf,
  resolveLive,
  uniqueLeaves,
} from "../leaves.ts";
import { compareIds } from "../work-items.ts";

/** What an issue asks to merge, as it stands now. */
export interface MergeSources {
  readonly namespace: string;
  /** Live memories, by id. */
  readonly sources: readonly Memory[];
  /** Their originals, by id. */
  readonly leaves: readonly Leaf[];
  /** The one source that keeps its id and its note: promoted or pinned. */
  readonly survivor: Memory | undefined;
}

export type ReadSources =
  | { readonly kind: "sources"; readonly sources: MergeSources }
  | { readonly kind: "held"; readonly reason: string };

/** Reads the sources again: between the finding and its merge they may have changed, gone, or been merged. */
export function readSources(issue: Issue, { view, inScope }: AgentContext): ReadSources {
  const { namespace, notes } = issue;
  const resolved = notes.memoryIds.map((id) => resolveLive(namespace, id, view));
  if (resolved.some((memory) => memory === undefined)) return held("source_gone");
  const byId = new Map(
    resolved.flatMap((memory) => (memory ? [[memory.id, memory] as const] : [])),
  );
  const sources = [...byId.values()].sort((a, b) => compareIds(a.id, b.id));
  if (sources.length < 2) return held("merged_already");
  if (!sources.every((source) => inScope(source))) return held("out_of_scope");
  const leaves = uniqueLeaves(sources.flatMap((source) => leavesOf(source, view)));
  if (!isUnchanged(issue, { leaves, sources })) return held("source_changed");
  const anchored = sources.filter(isAnchored);
  if (anchored.length > 1) return held("two_promoted");
  return { kind: "sources", sources: { namespace, sources, leaves, survivor: anchored[0] } };
}

/** An issue of the cluster agent names originals; one filed by hand, or by a program, the memories as they were. */
function isUnchanged(
  { namespace, notes, fingerprint }: Issue,
  now: { readonly leaves: readonly Leaf[]; readonly sources: readonly Memory[] },
): boolean {
  const { agent, action } = notes;
  return (
    fingerprint === findingFingerprint({ kind: "merge", namespace, leaves: now.leaves }) ||
    fingerprint === fingerprintOf({ agent, namespace, action, members: now.sources })
  );
}

function held(reason: string): ReadSources {
  return { kind: "held", reason };
}
