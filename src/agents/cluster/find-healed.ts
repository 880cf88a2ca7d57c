import { isLive, type Memory } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { Relation } from "../../model/relation.ts";
import type { ClusterResult } from "../../model/results.ts";
import type { AgentContext } from "../../ports/agent.ts";
import { excerptOf } from "../excerpt.ts";
import { resolveLive } from "../leaves.ts";
import { proposed } from "../proposing.ts";
import { isOpenDispute, setDisputed, settle } from "./dispute-changes.ts";
import type { Finding } from "./findings.ts";
import { SUPERSEDED } from "./resolution-changes.ts";

/** A disputed memory with contradictions of its that are over. */
export interface Healing {
  readonly memory: Memory;
  readonly over: readonly { readonly relation: Relation; readonly how: string }[];
  readonly isHealed: boolean;
  /** Other memories that this run archives: the healing needs that to happen. */
  readonly needs: readonly string[];
}

export interface DisputeFacts {
  readonly context: AgentContext;
  /** Contradictions that stand, as found now. */
  readonly standing: readonly Finding[];
  /** Ids of memories that a resolution of this run archives. */
  readonly losers: ReadonlySet<string>;
}

/**
 * Disputed memories whose contradictions ended: the other side was edited, archived or superseded, or a person said that they do not
 * contradict each other. A dispute that an import brought has no contradiction on record, and stays.
 */
export function findHealed(namespace: string, facts: DisputeFacts): readonly Healing[] {
  const { view, inScope } = facts.context;
  const pairs = pairsOf(facts.standing);
  return view
    .memories(namespace)
    .filter((memory) => isLive(memory) && inScope(memory) && !facts.losers.has(memory.id))
    .flatMap((memory) => healingOf(memory, pairs, facts) ?? []);
}

function healingOf(
  memory: Memory,
  pairs: ReadonlySet<string>,
  facts: DisputeFacts,
): Healing | undefined {
  const { view } = facts.context;
  if (!memory.disputed) return undefined;
  const open = view.relationsOf(memory.namespace, memory.id).filter(isOpenDispute);
  const ended = open.map((relation) => ({
    relation,
    end: endOf(memory, relation, { pairs, facts }),
  }));
  const over = ended.flatMap(({ relation, end }) => (end ? [{ relation, ...end }] : []));
  if (over.length === 0) return undefined;
  const needs = over.flatMap(({ loser }) => loser ?? []);
  return { memory, over, isHealed: over.length === open.length, needs };
}

interface End {
  readonly how: string;
  readonly loser?: string;
}

/** How a contradiction ended; `undefined` where it stands, or where its other side is out of the run's scope. */
function endOf(
  memory: Memory,
  relation: Relation,
  { pairs, facts }: { readonly pairs: ReadonlySet<string>; readonly facts: DisputeFacts },
): End | undefined {
  const otherId = relation.from === memory.id ? relation.to : relation.from;
  const other = resolveLive(memory.namespace, otherId, facts.context.view);
  if (other === undefined) return { how: "the other is archived" };
  if (facts.losers.has(other.id)) return { how: SUPERSEDED, loser: other.id };
  if (!facts.context.inScope(other) || pairs.has(pairKey(memory.id, other.id))) return undefined;
  return { how: "they do not contradict each other any more" };
}

function pairsOf(findings: readonly Finding[]): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const { sides } of findings) {
    const [first = [], second = []] = sides.map((side) => side.flatMap(({ members }) => members));
    for (const a of first) for (const b of second) keys.add(pairKey(a.id, b.id));
  }
  return keys;
}

function pairKey(a: string, b: string): string {
  return JSON.stringify([a, b].sort());
}

/** Confidence: what is derived from findings of the same run is as sure as they are; 0.95. */
export function proposeHealing(
  healing: Healing,
  { dependsOn }: { readonly dependsOn: readonly string[] },
): Outcome<ClusterResult> {
  const { memory, over, isHealed } = healing;
  return proposed({
    agent: "cluster",
    namespace: memory.namespace,
    action: "settle_dispute",
    subject: [memory.id, memory.revision],
    results: [],
    confidence: 0.95,
    reason: [...new Set(over.map(({ how }) => how))].join("; "),
    dependsOn,
    changes: [
      ...(isHealed ? setDisputed(memory, false) : []),
      ...over.map(({ relation, how }) => settle(relation, how)),
    ],
    finding: {
      title: `Not disputed any more: ${excerptOf(memory.content)}`,
      urgency: "low",
      members: [memory],
      scores: {},
    },
  });
}
