import { createHeap } from "./binary-heap.ts";

export interface Cluster {
  /** Ranks of the members, ascending; the first names the cluster. */
  readonly members: readonly number[];
  readonly weight: number;
  readonly links: Map<Cluster, Link>;
  alive: boolean;
}

/** Two clusters that are similar enough to be merged. */
export interface Link {
  readonly left: Cluster;
  readonly right: Cluster;
  readonly value: number;
  /** The two, and all that will contain them, must not be merged. */
  forbidden: boolean;
}

export interface JoinedParts {
  readonly left: Cluster;
  readonly right: Cluster;
  readonly other: Cluster;
  /** Links of left and right with the other one; at least one is there. */
  readonly first: Link | undefined;
  readonly second: Link | undefined;
}

/**
 * Similarity of the union of left and right with the other cluster. May not exceed the higher of the two ("reducible"):
 * that is why links below the threshold can be forgotten.
 */
export type Linkage = (parts: JoinedParts) => number;

export interface Agglomeration {
  readonly linkage: Linkage;
  readonly threshold: number;
  readonly maxWeight: number;
  readonly isBlocked: (a: number, b: number) => boolean;
}

/**
 * Merges the most similar clusters until none reaches the threshold. Of equally similar ones, those with the lowest ranks
 * go first, so the result depends on ranks and similarities alone. n links cost about n log n.
 */
export function agglomerate(links: Iterable<Link>, options: Agglomeration): readonly Cluster[] {
  const heap = createHeap<Link>(goesFirst);
  const clusters = new Set<Cluster>();
  for (const link of links) {
    clusters.add(link.left).add(link.right);
    connect(link);
    heap.push(link);
  }
  for (let link = heap.pop(); link !== undefined; link = heap.pop()) {
    const { left, right } = link;
    if (!left.alive || !right.alive) continue;
    if (mustStayApart(link, options)) {
      link.forbidden = true;
      continue;
    }
    clusters.delete(left);
    clusters.delete(right);
    clusters.add(merge(link, options, heap.push));
  }
  return [...clusters];
}

function goesFirst(a: Link, b: Link): boolean {
  if (a.value !== b.value) return a.value > b.value;
  const lowA = Math.min(nameOf(a.left), nameOf(a.right));
  const lowB = Math.min(nameOf(b.left), nameOf(b.right));
  if (lowA !== lowB) return lowA < lowB;
  return Math.max(nameOf(a.left), nameOf(a.right)) < Math.max(nameOf(b.left), nameOf(b.right));
}

function nameOf({ members }: Cluster): number {
  return members[0] ?? 0;
}

/** Every pair is asked about at most once: a refused link is inherited, a merged pair is never between clusters again. */
function mustStayApart({ left, right }: Link, { maxWeight, isBlocked }: Agglomeration): boolean {
  if (left.weight + right.weight > maxWeight) return true;
  return left.members.some((a) => right.members.some((b) => isBlocked(a, b)));
}

function connect(link: Link): void {
  link.left.links.set(link.right, link);
  link.right.links.set(link.left, link);
}

function merge(
  { left, right }: Link,
  { linkage, threshold }: Agglomeration,
  enqueue: (link: Link) => void,
): Cluster {
  const union: Cluster = {
    members: [...left.members, ...right.members].sort((a, b) => a - b),
    weight: left.weight + right.weight,
    links: new Map(),
    alive: true,
  };
  left.alive = false;
  right.alive = false;
  const joinWith = (other: Cluster): void => {
    other.links.delete(left);
    other.links.delete(right);
    if (!other.alive || union.links.has(other)) return;
    const first = left.links.get(other);
    const second = right.links.get(other);
    const forbidden = first?.forbidden === true || second?.forbidden === true;
    const value = forbidden ? 0 : linkage({ left, right, other, first, second });
    if (!forbidden && value < threshold) return;
    const link: Link = { left: union, right: other, value, forbidden };
    connect(link);
    if (!forbidden) enqueue(link);
  };
  for (const other of left.links.keys()) joinWith(other);
  for (const other of right.links.keys()) joinWith(other);
  left.links.clear();
  right.links.clear();
  return union;
}
