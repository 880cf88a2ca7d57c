import { type EntityIndex, jaccard } from "./entity-index.ts";

/**
 * How strongly a row is tied to others that share that many linking entities with it. In a large store it is asked a thousand times a row,
 * so what is the row's own is looked up once.
 */
export function createStrengths({
  entities,
  entityCounts,
  hubCounts,
  tags,
}: EntityIndex): (row: number) => (other: number, sharedCount: number) => number {
  return (row) => {
    const [ownEntities, ownTags] = [entities[row] ?? [], tags[row] ?? []];
    const [count, hasHubs, hasTags] = [
      ownEntities.length,
      hubCounts[row] !== 0,
      ownTags.length > 0,
    ];
    return (other, sharedCount) => {
      // Where one of them holds no hub, all that they share has been counted.
      const likeness =
        hasHubs && hubCounts[other] !== 0
          ? jaccard(ownEntities, entities[other] ?? [])
          : sharedCount / (count + (entityCounts[other] ?? 0) - sharedCount);
      return 0.7 * likeness + 0.3 * (hasTags ? jaccard(ownTags, tags[other] ?? []) : 0);
    };
  };
}
