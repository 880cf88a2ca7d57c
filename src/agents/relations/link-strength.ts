import type { EntityIndex } from "./entity-index.ts";
import { jaccard, lengthOf } from "./flat-lists.ts";

/** Of a strength: the part that entities in common give, and the part that tags give. */
const SHARE = { entities: 0.7, tags: 0.3 } as const;

/** How strongly two rows are tied. */
export function strengthOf({ entities, tags }: EntityIndex, row: number, other: number): number {
  return SHARE.entities * jaccard(entities, row, other) + SHARE.tags * jaccard(tags, row, other);
}

/**
 * The most that a row can be tied to another with `size` entities with which it shares one that may link. It never rises with the size.
 */
export function greatestStrength(
  { entities, linking, tags }: EntityIndex,
  row: number,
): (size: number) => number {
  const own = lengthOf(entities, row);
  // Beside the one, all that may not link.
  const common = 1 + own - lengthOf(linking, row);
  const bonus = lengthOf(tags, row) > 0 ? SHARE.tags : 0;
  return (size) => SHARE.entities * (common / (own + size - common)) + bonus;
}
