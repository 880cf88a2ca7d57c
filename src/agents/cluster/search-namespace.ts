import type { AgentContext } from "../../ports/agent.ts";
import { findSimilarPairs } from "../../similarity/all-pairs.ts";
import { createPairCollector, type PairList } from "../../similarity/pair-list.ts";
import { cosineFor } from "../../similarity/profile.ts";
import type { AgentDeps } from "../agent-deps.ts";
import { type Containment, findContainment } from "./containment.ts";
import { type FoundInNamespace, findInNamespace } from "./findings.ts";
import { createLikeness } from "./likeness.ts";
import { readUnits } from "./units.ts";

export interface NamespaceSearch extends FoundInNamespace {
  /** Memories looked at. */
  readonly scanned: number;
  readonly note: string | undefined;
}

export async function searchNamespace(
  namespace: string,
  { context, deps }: { readonly context: AgentContext; readonly deps: AgentDeps },
): Promise<NamespaceSearch> {
  const { view, settings, signal } = context;
  const { units, rows, scanned } = readUnits(namespace, context);
  const matrix = await view.vectors(rows.map(({ record }) => record));
  const threshold = cosineFor(deps.profile, settings.cluster.linkThreshold);
  const { pairs, note } = await findSimilarPairs(matrix, { threshold, signal });
  const containment = findContainment(rows);
  const likeness = createLikeness({ rows, matrix, containment, deps, settings });
  const rowPairs = withContainment(pairs, containment);
  const found = findInNamespace(namespace, {
    units,
    rows,
    rowPairs,
    containment,
    likeness,
    settings,
  });
  return { ...found, scanned, note };
}

function withContainment(pairs: PairList, containment: Containment): PairList {
  const collector = createPairCollector();
  for (let pair = 0; pair < pairs.count; pair++) {
    const [first = 0, second = 0] = [pairs.first[pair], pairs.second[pair]];
    collector.add(first, second, pairs.similarity[pair] ?? 0);
  }
  for (const { whole, part } of containment.pairs) collector.add(whole, part, 1);
  return collector.list();
}
