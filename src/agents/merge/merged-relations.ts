import type { Memory } from "../../model/memory.ts";
import { RELATION_TYPES, type Relation, relationId } from "../../model/relation.ts";
import type { View } from "../../ports/view.ts";
import { resolveLive } from "../leaves.ts";
import type { MergeSources } from "./merge-sources.ts";

export interface RelationInput {
  readonly from: MergeSources;
  readonly mergedId: string;
  readonly leafIds: readonly string[];
  readonly cohesion: number;
  readonly view: View;
  /** What an id becomes through the merges planned so far in this run; itself where it takes part in none. */
  readonly plannedId: (id: string) => string;
}

/** New relations of a merged memory: to its originals, and those of its sources to others, each once. */
export function mergedRelations(input: RelationInput): readonly Relation[] {
  const made = new Map<string, Relation>();
  for (const relation of [...toLeaves(input), ...carriedOver(input)]) {
    const known = input.view.relation(relation.namespace, relation.id);
    const earlier = made.get(relation.id);
    if (known !== undefined) continue;
    if (earlier === undefined || earlier.strength < relation.strength) {
      made.set(relation.id, relation);
    }
  }
  return [...made.values()];
}

function toLeaves({ from, mergedId, leafIds, cohesion, view }: RelationInput): readonly Relation[] {
  return leafIds.map((to) =>
    relationOf({
      namespace: from.namespace,
      from: mergedId,
      to,
      type: RELATION_TYPES.consolidatedFrom,
      strength: 1,
      reason: `merged from ${leafIds.length} memories`,
      metadata: { cohesion },
      createdAt: view.now,
    }),
  );
}

/** Links of the sources to memories outside the merge, of every type but where a merge came from. */
function carriedOver({ from, mergedId, view, plannedId }: RelationInput): readonly Relation[] {
  const inside = new Set([...from.sources.map(({ id }) => id), mergedId]);
  const liveId = (id: string): string | undefined => {
    if (inside.has(id)) return mergedId;
    const live = resolveLive(from.namespace, id, view);
    return live && plannedId(live.id);
  };
  return from.sources
    .filter(({ id }) => id !== mergedId)
    .flatMap((source) => outwardRelations(source, view))
    .flatMap((relation) => {
      const [start, end] = [liveId(relation.from), liveId(relation.to)];
      if (start === undefined || end === undefined || start === end) return [];
      const { type, strength, reason, metadata } = relation;
      return relationOf({
        namespace: from.namespace,
        from: start,
        to: end,
        type,
        strength,
        ...(reason === undefined ? {} : { reason }),
        metadata,
        createdAt: view.now,
      });
    });
}

function outwardRelations(source: Memory, view: View): readonly Relation[] {
  return view
    .relationsOf(source.namespace, source.id)
    .filter(({ type }) => type !== RELATION_TYPES.consolidatedFrom);
}

function relationOf(fields: Omit<Relation, "id" | "revision">): Relation {
  return { ...fields, id: relationId(fields), revision: 1 };
}
