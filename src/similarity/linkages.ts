import type { Link, Linkage } from "./agglomerate.ts";

/** Complete link: two clusters are as alike as their least similar pair, and unlinked where a pair is missing. */
export const completeLinkage: Linkage = {
  join(first, second) {
    if (first === undefined || second === undefined) return undefined;
    if (first.forbidden || second.forbidden) return undefined;
    return {
      value: Math.min(first.value, second.value),
      sum: first.sum + second.sum,
      known: first.known + second.known,
      forbidden: false,
    };
  },
  settle: () => true,
};

/**
 * Average link. Pairs that no list names are taken to be as similar as the least similar listed pair, which is too much,
 * until their clusters come up for merging: only then is `similarity` asked, as it may cost a dot product a pair.
 */
export function averageLinkage(
  missing: number,
  similarity: (a: number, b: number) => number,
): Linkage {
  return {
    join(first, second, pairs) {
      const sum = (first?.sum ?? 0) + (second?.sum ?? 0);
      const known = (first?.known ?? 0) + (second?.known ?? 0);
      const forbidden = first?.forbidden === true || second?.forbidden === true;
      return { value: (sum + (pairs - known) * missing) / pairs, sum, known, forbidden };
    },
    settle(link) {
      const { left, right } = link;
      const pairs = left.members.length * right.members.length;
      if (link.known === pairs) return true;
      link.sum = sumBetween(link, similarity);
      link.known = pairs;
      link.value = link.sum / pairs;
      return false;
    },
  };
}

function sumBetween({ left, right }: Link, similarity: (a: number, b: number) => number): number {
  let sum = 0;
  for (const a of left.members) for (const b of right.members) sum += similarity(a, b);
  return sum;
}
