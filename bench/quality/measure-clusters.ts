import type { ClusterResult } from "../../src/model/results.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { makeStore } from "./make-store.ts";
import { type Agreement, clusterAgreement } from "./metrics.ts";
import type { Product } from "./product.ts";
import type { LabelledText } from "./read-data.ts";

/** How the groups that the cluster agent would merge or propose to merge agree with the labelled clusters. */
export async function measureClusters(
  texts: readonly LabelledText[],
  product: Product,
): Promise<Agreement> {
  // Ids need not be unique in labelled files, and what a store does with one id twice is not the question here.
  const numbered = texts.map((text, at) => ({ ...text, id: `text-${at}` }));
  const { runDeps } = await makeStore(numbered, product);
  const report = await runPipeline(runDeps, { agent: "cluster", dryRun: true });
  // The cluster agent's results are cluster results; the report of any agent types them as unknown.
  const results = (report.agents.cluster?.results ?? []) as readonly ClusterResult[];
  const found = joinGroups(
    numbered.map(({ id }) => id),
    results.filter(({ action }) => MERGES.has(action)).map(({ memoryIds }) => memoryIds),
  );
  return clusterAgreement(
    found,
    numbered.map(({ cluster }) => cluster),
  );
}

const MERGES: ReadonlySet<ClusterResult["action"]> = new Set(["auto_merge", "llm_review", "link"]);

/** One name for each item, the same for all that groups hold together. */
function joinGroups(
  items: readonly string[],
  groups: readonly (readonly string[])[],
): readonly string[] {
  const parent = new Map(items.map((item) => [item, item]));
  const rootOf = (item: string): string => {
    let root = item;
    for (let next = parent.get(root); next !== undefined && next !== root; next = parent.get(root))
      root = next;
    return root;
  };
  for (const [first, ...rest] of groups) {
    for (const item of rest) parent.set(rootOf(item), rootOf(first ?? item));
  }
  return items.map(rootOf);
}
