import { agglomerate, type Cluster, type Link, type Linkage } from "./agglomerate.ts";
import { averageLinkage, completeLinkage } from "./linkages.ts";
import type { PairList } from "./pair-list.ts";

export interface GroupOptions {
  /** Number of items; pairs speak of items 0 to size - 1. */
  readonly size: number;
  /** All pairs of at least the threshold, more do no harm; a pair that is missing is below it. */
  readonly pairs: PairList;
  /** Similarity that a group must reach, by the measure of its linkage. */
  readonly threshold: number;
  /** Stable, distinct names that break ties, so that the order of items does not matter. @default the item's number */
  readonly keys?: readonly string[];
  /** How much an item counts towards `maxSize`, such as the leaves of a merged memory. @default 1 */
  readonly weight?: (item: number) => number;
  /** @default no limit */
  readonly maxSize?: number;
  /** Pairs that must never share a group. Asked only about pairs of groups that would otherwise be merged. */
  readonly blocked?: (a: number, b: number) => boolean;
}

export type Similarity = (a: number, b: number) => number;

/** Items of a group, by key; groups of two or more only, ordered by the key of their first item. */
export type Groups = readonly (readonly number[])[];

/**
 * Complete-link groups: every pair within a group is at least `threshold` alike, so a chain A~B~C without A~C is no
 * group. Deterministic; memory and time follow the number of pairs.
 */
export function completeLinkGroups(options: GroupOptions): Groups {
  return group(options, itemsByKey(options), completeLinkage);
}

/**
 * Average-link groups (UPGMA): the mean similarity between two parts is at least `threshold` whenever they are joined.
 * `similarity` is asked about pairs that are missing, and only those of clusters with a neighbour in common.
 */
export function averageLinkGroups(
  options: GroupOptions & { readonly similarity: Similarity },
): Groups {
  const items = itemsByKey(options);
  const ofRanks: Similarity = (a, b) => options.similarity(items[a] ?? 0, items[b] ?? 0);
  return group(options, items, averageLinkage(ofRanks));
}

/** Mean similarity over all pairs of a group; 1 for a single item. */
export function cohesion(members: readonly number[], similarity: Similarity): number {
  let sum = 0;
  let pairs = 0;
  for (const [at, a] of members.entries()) {
    for (const b of members.slice(at + 1)) {
      sum += similarity(a, b);
      pairs++;
    }
  }
  return pairs === 0 ? 1 : sum / pairs;
}

/** Items in the order of their keys: an item's place there is its rank. */
function itemsByKey({ size, keys }: GroupOptions): Uint32Array {
  const items = Uint32Array.from({ length: size }, (_, item) => item);
  if (keys === undefined) return items;
  return items.sort((a, b) => compareText(keys[a] ?? "", keys[b] ?? "") || a - b);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

function group(options: GroupOptions, items: Uint32Array, linkage: Linkage): Groups {
  const { blocked, threshold, maxSize = Number.POSITIVE_INFINITY } = options;
  const clusters = agglomerate(linksOf(options, items), {
    linkage,
    threshold,
    maxWeight: maxSize,
    isBlocked: (a, b) => blocked?.(items[a] ?? 0, items[b] ?? 0) ?? false,
  });
  return clusters
    .filter(({ members }) => members.length > 1)
    .sort((a, b) => (a.members[0] ?? 0) - (b.members[0] ?? 0))
    .map(({ members }) => members.map((rank) => items[rank] ?? 0));
}

function* linksOf(
  { pairs, threshold, weight = () => 1 }: GroupOptions,
  items: Uint32Array,
): Generator<Link> {
  const ranks = new Uint32Array(items.length);
  for (const [rank, item] of items.entries()) ranks[item] = rank;
  const clusters = new Map<number, Cluster>();
  const clusterOf = (item = 0): Cluster => {
    const known = clusters.get(item);
    if (known !== undefined) return known;
    const members = [ranks[item] ?? 0];
    const cluster = { members, weight: weight(item), links: new Map(), alive: true };
    clusters.set(item, cluster);
    return cluster;
  };
  for (let pair = 0; pair < pairs.count; pair++) {
    const value = pairs.similarity[pair] ?? 0;
    if (value < threshold) continue;
    const left = clusterOf(pairs.first[pair]);
    const right = clusterOf(pairs.second[pair]);
    yield { left, right, value, forbidden: false };
  }
}
