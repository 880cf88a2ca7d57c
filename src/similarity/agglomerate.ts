import { createHeap } from "./binary-heap.ts";

export interface Cluster {
  /** Ranks of the members, ascending; the first names the cluster. */
  readonly members: readonly number[];
  readonly weight: number;
  readonly links: Map<Cluster, Link>;
  alive: boolean;
}

/** What is known of the pairs between two clusters. */
export interface Link {
  readonly left: Cluster;
  readonly right: Cluster;
  /** Similarity of the two, or, until `settle` has seen it, no less than it. */
  value: number;
  /** Sum and number of the pairs counted so far. */
  sum: number;
  known: number;
  /** The two, and all that will contain them, must not be merged. */
  forbidden: boolean;
}

export type JoinedLink = Pick<Link, "value" | "sum" | "known" | "forbidden">;

/** How the similarity of clusters follows from that of their members. */
export interface Linkage {
  /** The link of a union with a third cluster of \`pairs\` pairs, from those of its halves; undefined: none. */
  join(first: Link | undefined, second: Link | undefined, pairs: number): JoinedLink | undefined;
  /** Makes the value exact; false where it was not. */
  settle(link: Link): boolean;
}

export interface Agglomeration {
  readonly linkage: Linkage;
  readonly threshold: number;
  readonly maxWeight: number;
  readonly isBlocked: (a: number, b: number) => boolean;
}

/**
 * Merges the most similar clusters until none reaches the threshold. Of equally similar ones, those with the lowest ranks
 * go first, so the result depends on ranks and similarities alone. Each link is looked at a bounded number of
 * times: n pairs cost n log n.
 */
export function agglomerate(links: Iterable<Link>, options: Agglomeration): readonly Cluster[] {
  const { linkage, threshold, maxWeight } = options;
  const heap = createHeap<Link>(goesFirst);
  const clusters = new Set<Cluster>();
  const enqueue = (link: Link): void => {
    if (!link.forbidden && link.value >= threshold) heap.push(link);
  };
  for (const link of links) {
    clusters.add(link.left).add(link.right);
    connect(link);
    enqueue(link);
  }
  for (let link = heap.pop(); link !== undefined; link = heap.pop()) {
    const { left, right } = link;
    if (!left.alive || !right.alive) continue;
    if (!linkage.settle(link)) enqueue(link);
    else if (left.weight + right.weight > maxWeight || holdsBlocked(link, options))
      link.forbidden = true;
    else {
      const union = merge(link, linkage, enqueue);
      clusters.delete(left);
      clusters.delete(right);
      clusters.add(union);
    }
  }
  return [...clusters];
}

function goesFirst(a: Link, b: Link): boolean {
  if (a.value !== b.value) return a.value > b.value;
  const [aLow, aHigh] = ranksOf(a);
  const [bLow, bHigh] = ranksOf(b);
  return aLow !== bLow ? aLow < bLow : aHigh < bHigh;
}

function ranksOf({ left, right }: Link): readonly [number, number] {
  const a = left.members[0] ?? 0;
  const b = right.members[0] ?? 0;
  return a < b ? [a, b] : [b, a];
}

/** Every pair is asked about at most once: a refused link is inherited, a merged pair is never between clusters again. */
function holdsBlocked({ left, right }: Link, { isBlocked }: Agglomeration): boolean {
  return left.members.some((a) => right.members.some((b) => isBlocked(a, b)));
}

function connect(link: Link): void {
  link.left.links.set(link.right, link);
  link.right.links.set(link.left, link);
}

function merge({ left, right }: Link, linkage: Linkage, enqueue: (link: Link) => void): Cluster {
  const union: Cluster = {
    members: [...left.members, ...right.members].sort((a, b) => a - b),
    weight: left.weight + right.weight,
    links: new Map(),
    alive: true,
  };
  left.alive = false;
  right.alive = false;
  const joinWith = (other: Cluster): void => {
    if (!other.alive || union.links.has(other)) return;
    const pairs = union.members.length * other.members.length;
    const joined = linkage.join(left.links.get(other), right.links.get(other), pairs);
    if (joined === undefined) return;
    const link: Link = { left: union, right: other, ...joined };
    connect(link);
    enqueue(link);
  };
  for (const other of left.links.keys()) joinWith(other);
  for (const other of right.links.keys()) joinWith(other);
  // Their maps hold clusters that are gone; letting go of them keeps memory to what is alive.
  left.links.clear();
  right.links.clear();
  return union;
}
