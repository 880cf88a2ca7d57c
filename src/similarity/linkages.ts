import type { Cluster, Linkage } from "./agglomerate.ts";

/** Two clusters are as alike as their least similar pair; a missing link means a pair below the threshold. */
export const completeLinkage: Linkage = ({ first, second }) =>
  Math.min(first?.value ?? Number.NEGATIVE_INFINITY, second?.value ?? Number.NEGATIVE_INFINITY);

/**
 * Two clusters are as alike as their pairs on average. `similarity` is asked about pairs without a link, which is one dot
 * product each, and only where one half is similar enough already.
 */
export function averageLinkage(similarity: (a: number, b: number) => number): Linkage {
  return ({ left, right, other, first, second }) => {
    const a = first?.value ?? meanBetween(left, other, similarity);
    const b = second?.value ?? meanBetween(right, other, similarity);
    const [sizeA, sizeB] = [left.members.length, right.members.length];
    return (a * sizeA + b * sizeB) / (sizeA + sizeB);
  };
}

function meanBetween(a: Cluster, b: Cluster, similarity: (a: number, b: number) => number): number {
  let sum = 0;
  for (const x of a.members) for (const y of b.members) sum += similarity(x, y);
  return sum / (a.members.length * b.members.length);
}
