import { URGENCIES, type Urgency } from "../../model/issue.ts";
import { type Memory, memoryKey } from "../../model/memory.ts";
import type { Outcome } from "../../model/proposal.ts";
import type { ClusterResult } from "../../model/results.ts";
import type { Agent, AgentContext } from "../../ports/agent.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { type Assessment, assessMemory } from "../decay/assess-memory.ts";
import { type Allowance, countDown, issueAllowance } from "../issue-steps.ts";
import { compareIds } from "../work-items.ts";
import { findHealed, proposeHealing } from "./find-healed.ts";
import type { Finding } from "./findings.ts";
import { isStandingConflict } from "./judge-contradiction.ts";
import {
  clusterIdOf,
  LISTED_PAIRS,
  proposeFinding,
  proposeResolution,
  type RatedFinding,
} from "./propose-finding.ts";
import { type NamespaceSearch, searchNamespace } from "./search-namespace.ts";
import { closeStale, findStale } from "./stale-issues.ts";

/** Finds memories that say the same, nearly the same, or the opposite. */
export function createClusterAgent(deps: AgentDeps): Agent<ClusterResult> {
  let work: ReadonlyMap<string, Work> = new Map();
  const allowances = new Map<string, Allowances>();
  const allowancesOf = (namespace: string, context: AgentContext): Allowances => {
    const known = allowances.get(namespace) ?? {
      allow: issueAllowance(context, namespace),
      list: countDown(LISTED_PAIRS),
    };
    allowances.set(namespace, known);
    return known;
  };
  return {
    name: "cluster",
    scan: async (context) => {
      const planned = await planClusters(context, deps);
      work = planned.work;
      const { scanned, notes } = planned;
      return { items: [...work.keys()], scanned, held: {}, notes };
    },
    process: (itemId, context) => {
      const item = work.get(itemId);
      if (item === undefined) return [];
      if (item.kind === "settled") return [item.outcome];
      const allowed = allowancesOf(item.rated.finding.namespace, context);
      return proposeFinding(item.rated, { context, ...allowed });
    },
  };
}

interface Allowances {
  readonly allow: Allowance;
  readonly list: Allowance;
}

type Work =
  /** Decided while searching. */
  | { readonly kind: "settled"; readonly outcome: Outcome<ClusterResult> }
  | { readonly kind: "finding"; readonly rated: RatedFinding };

async function planClusters(context: AgentContext, deps: AgentDeps) {
  const work = new Map<string, Work>();
  const findings: RankedFinding[] = [];
  const notes: string[] = [];
  let scanned = 0;
  const rank = createRanks(context);
  for (const namespace of context.view.namespaces()) {
    // One namespace after the other: the search takes every core there is.
    const found = await searchNamespace(namespace, { context, deps });
    scanned += found.scanned;
    if (found.note !== undefined) notes.push(found.note);
    for (const [id, outcome] of settledWork(namespace, found, { context, rank })) {
      work.set(id, { kind: "settled", outcome });
    }
    for (const finding of found.findings) findings.push(rank(finding));
  }
  for (const { finding, urgency } of findings.sort(compareRanked)) {
    work.set(clusterIdOf(finding), { kind: "finding", rated: { finding, urgency } });
  }
  return { work, scanned, notes };
}

/** Issues that are stale, contradictions that the run settles, and disputes that are over with them; by item of work. */
function settledWork(
  namespace: string,
  found: NamespaceSearch,
  { context, rank }: { readonly context: AgentContext; readonly rank: Rank },
): readonly (readonly [string, Outcome<ClusterResult>])[] {
  const { resolutions, losers, findings } = found;
  const settled = new Set(resolutions.map(({ finding }) => finding.fingerprint));
  const resolved = resolutions.map((resolution) => {
    const { urgency } = rank(resolution.finding);
    return { resolution, outcome: proposeResolution(resolution, { context, urgency }) };
  });
  const proposalOf = (loser: string): readonly string[] =>
    resolved.flatMap(({ resolution, outcome }) =>
      outcome.kind === "proposal" && resolution.losers.some(({ id }) => id === loser)
        ? [outcome.proposal.id]
        : [],
    );
  const standing = findings.filter((finding) => isStandingConflict(finding, context));
  return [
    ...findStale(namespace, { ...found, context, settled }).map(
      (issue) => [issue.id, closeStale(issue, context.view.now)] as const,
    ),
    ...resolved.map(
      ({ resolution, outcome }) => [clusterIdOf(resolution.finding), outcome] as const,
    ),
    ...findHealed(namespace, { context, standing, losers }).map((healing) => {
      const dependsOn = healing.needs.flatMap(proposalOf);
      return [
        `dispute:${memoryKey(healing.memory)}`,
        proposeHealing(healing, { dependsOn }),
      ] as const;
    }),
  ];
}

interface RankedFinding extends RatedFinding {
  /** Lowest decay score of its members at risk. */
  readonly risk: number;
}

type Rank = (finding: Finding) => RankedFinding;

function createRanks(context: AgentContext): Rank {
  // A memory may be in dozens of findings.
  const known = new Map<Memory, readonly Assessment[]>();
  const assess = (memory: Memory): readonly Assessment[] => {
    const found = known.get(memory) ?? [assessMemory(memory, context) ?? []].flat();
    known.set(memory, found);
    return found;
  };
  return (finding) => {
    const members = finding.node.units.flatMap((unit) => unit.members);
    const atRisk = members.flatMap(assess);
    const risk = Math.min(Number.POSITIVE_INFINITY, ...atRisk.map(({ score }) => score));
    return { finding, risk, urgency: urgencyOf(finding, atRisk, context) };
  };
}

/** As urgent as its most urgent member; of a contradiction, as sure as it is, whatever becomes of the two. */
function urgencyOf(
  finding: Finding,
  atRisk: readonly Assessment[],
  context: AgentContext,
): Urgency {
  if (finding.kind === "conflict") return isWeak(finding, context) ? "low" : "medium";
  const urgencies = new Set(atRisk.map(({ urgency }) => urgency));
  return URGENCIES.find((urgency) => urgencies.has(urgency)) ?? "low";
}

/** Measured on chat turns: five in six contradictions claimed below midway between link and merge are none. */
function isWeak({ cohesion }: Finding, { settings }: AgentContext): boolean {
  const { linkThreshold, similarityThreshold } = settings.cluster;
  return cohesion < (linkThreshold + similarityThreshold) / 2;
}

const KINDS: readonly Finding["action"][] = [
  "auto_merge",
  "conflict",
  "llm_review",
  "link",
  "keep_separate",
];

/** Memories at risk first, then by what there is to do, the most alike first: a cap then cuts off the least. */
function compareRanked(a: RankedFinding, b: RankedFinding): number {
  const [riskA, riskB] = [a.risk, b.risk];
  if (riskA !== riskB) return riskA < riskB ? -1 : 1;
  return (
    KINDS.indexOf(a.finding.action) - KINDS.indexOf(b.finding.action) ||
    b.finding.cohesion - a.finding.cohesion ||
    compareIds(a.finding.namespace, b.finding.namespace) ||
    compareIds(a.finding.node.key, b.finding.node.key) ||
    compareIds(a.finding.fingerprint, b.finding.fingerprint)
  );
}
