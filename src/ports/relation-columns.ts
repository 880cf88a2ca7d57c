import type { Instant } from "../model/instant.ts";
import type { Relation } from "../model/relation.ts";
import { compareById } from "./store-rules.ts";

/**
 * Relations as columns, in no certain order, undone ones too. A large store has several for each memory, and nearly all questions are about
 * which memories they tie: reading every record for that would be most of reading a store.
 */
export interface RelationColumns {
  readonly count: number;
  readonly namespaces: readonly string[];
  readonly ids: readonly string[];
  readonly from: readonly string[];
  readonly to: readonly string[];
  readonly types: readonly string[];
  readonly createdAt: readonly Instant[];
  readonly undone: readonly boolean[];
  /** The whole record in this place, the same object whenever it is asked for. */
  read(at: number): Relation;
}

export function relationColumns(relations: readonly Relation[]): RelationColumns {
  return {
    count: relations.length,
    namespaces: relations.map(({ namespace }) => namespace),
    ids: relations.map(({ id }) => id),
    from: relations.map(({ from }) => from),
    to: relations.map(({ to }) => to),
    types: relations.map(({ type }) => type),
    createdAt: relations.map(({ createdAt }) => createdAt),
    undone: relations.map(({ undone }) => undone === true),
    read: (at) => {
      const relation = relations[at];
      if (relation === undefined) throw new RangeError(`there is no relation ${at}`);
      return relation;
    },
  };
}

/** Every relation, undone ones too, by id. */
export function everyRelation(columns: RelationColumns): readonly Relation[] {
  return Array.from({ length: columns.count }, (_, at) => columns.read(at)).sort(compareById);
}

/** Those that readers see, by id. */
export function visibleRelations(columns: RelationColumns): readonly Relation[] {
  return everyRelation(columns).filter(({ undone }) => !undone);
}
