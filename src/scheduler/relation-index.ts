import type { Relation } from "../model/relation.ts";
import type { RelationColumns } from "../ports/relation-columns.ts";
import type { Tie } from "../ports/view.ts";

/** Relations by namespace and id, and by the memories that they tie: those of a snapshot, with what was put since laid over them. */
export interface RelationIndex {
  put(relation: Relation): void;
  get(namespace: string, id: string): Relation | undefined;
  /** The record that an undo made invisible, where there is one. */
  undone(relation: Relation): Relation | undefined;
  /** With this memory at either end, by id. */
  of(namespace: string, memoryId: string): readonly Relation[];
  /** The same, as one of its ends sees it, in no certain order. */
  tiesOf(namespace: string, memoryId: string): readonly Tie[];
}

export function createRelationIndex(stored: RelationColumns): RelationIndex {
  const forEachPlace = indexEnds(stored);
  const laid = createOverlay();
  const replaced = new Set<number>();
  // Most runs of one agent never ask for an id.
  let ids: Names | undefined;
  const placeOf = (namespace: string, id: string): number | undefined => {
    ids ??= indexIds(stored);
    return ids.get(namespace)?.get(id);
  };
  const find = (namespace: string, id: string): Relation | undefined => {
    const put = laid.get(namespace, id);
    if (put !== undefined) return put;
    const place = placeOf(namespace, id);
    return place === undefined ? undefined : stored.read(place);
  };
  /** What is visible of it, in a list of its own; `take` makes its items. */
  const collect = <T>(namespace: string, memoryId: string, take: (at: number) => T): T[] => {
    const found: T[] = [];
    forEachPlace(namespace, memoryId, (at) => {
      if (stored.undone[at] !== true && !replaced.has(at)) found.push(take(at));
    });
    return found;
  };
  return {
    put: (relation) => {
      const place = placeOf(relation.namespace, relation.id);
      if (place !== undefined) replaced.add(place);
      laid.put(relation);
    },
    get: (namespace, id) => {
      const found = find(namespace, id);
      return found?.undone ? undefined : found;
    },
    undone: ({ namespace, id }) => {
      const found = find(namespace, id);
      return found?.undone ? found : undefined;
    },
    of: (namespace, memoryId) =>
      [...collect(namespace, memoryId, stored.read), ...laid.of(namespace, memoryId)].sort(
        (a, b) => (a.id < b.id ? -1 : 1),
      ),
    tiesOf: (namespace, memoryId) => {
      const ties = collect(namespace, memoryId, (at) => tieAt(at, memoryId, stored));
      for (const relation of laid.of(namespace, memoryId)) ties.push(tieOf(relation, memoryId));
      return ties;
    },
  };
}

function tieAt(at: number, memoryId: string, stored: RelationColumns): Tie {
  const [from = "", to = ""] = [stored.from[at], stored.to[at]];
  return {
    type: stored.types[at] ?? "",
    otherId: from === memoryId ? to : from,
    createdAt: stored.createdAt[at] ?? 0,
  };
}

function tieOf({ type, from, to, createdAt }: Relation, memoryId: string): Tie {
  return { type, otherId: from === memoryId ? to : from, createdAt };
}

/** Numbers by namespace and name: no key is put together, of which a large store has a million. */
type Names = Map<string, Map<string, number>>;

function namesIn(names: Names, namespace: string): Map<string, number> {
  const known = names.get(namespace) ?? new Map<string, number>();
  names.set(namespace, known);
  return known;
}

function indexIds({ count, namespaces, ids }: RelationColumns): Names {
  const names: Names = new Map();
  for (let at = 0; at < count; at++) namesIn(names, namespaces[at] ?? "").set(ids[at] ?? "", at);
  return names;
}

/** Places of the relations at a memory. Memories are numbered as they come, and the places of each stand side by side in one list. */
function indexEnds({ count, namespaces, from, to }: RelationColumns) {
  const names: Names = new Map();
  let memories = 0;
  const numberOf = (known: Map<string, number>, id: string): number => {
    const number = known.get(id) ?? memories++;
    if (number === memories - 1) known.set(id, number);
    return number;
  };
  const [starts, ends] = [new Uint32Array(count), new Uint32Array(count)];
  for (let at = 0; at < count; at++) {
    const known = namesIn(names, namespaces[at] ?? "");
    starts[at] = numberOf(known, from[at] ?? "");
    ends[at] = numberOf(known, to[at] ?? "");
  }
  const offsets = new Uint32Array(memories + 1);
  const forEachEnd = (use: (memory: number, at: number) => void): void => {
    for (let at = 0; at < count; at++) {
      const [start = 0, end = 0] = [starts[at], ends[at]];
      use(start, at);
      if (end !== start) use(end, at);
    }
  };
  forEachEnd((memory) => {
    offsets[memory + 1] = (offsets[memory + 1] ?? 0) + 1;
  });
  for (let memory = 0; memory < memories; memory++) {
    offsets[memory + 1] = (offsets[memory + 1] ?? 0) + (offsets[memory] ?? 0);
  }
  const places = new Uint32Array(offsets[memories] ?? 0);
  const next = offsets.slice();
  forEachEnd((memory, at) => {
    const slot = next[memory] ?? 0;
    places[slot] = at;
    next[memory] = slot + 1;
  });
  return (namespace: string, memoryId: string, use: (at: number) => void): void => {
    const memory = names.get(namespace)?.get(memoryId);
    if (memory === undefined) return;
    const end = offsets[memory + 1] ?? 0;
    for (let slot = offsets[memory] ?? 0; slot < end; slot++) use(places[slot] ?? 0);
  };
}

/** What was put over the snapshot: few, and each again and again at most. */
function createOverlay() {
  const byId = new Map<string, Map<string, Relation>>();
  const byEnd = new Map<string, Map<string, Set<Relation>>>();
  const setAt = (namespace: string, memoryId: string): Set<Relation> => {
    const ends = byEnd.get(namespace) ?? new Map<string, Set<Relation>>();
    byEnd.set(namespace, ends);
    const found = ends.get(memoryId) ?? new Set<Relation>();
    ends.set(memoryId, found);
    return found;
  };
  return {
    get: (namespace: string, id: string): Relation | undefined => byId.get(namespace)?.get(id),
    of: (namespace: string, memoryId: string): Iterable<Relation> =>
      byEnd.get(namespace)?.get(memoryId) ?? [],
    put: (relation: Relation): void => {
      const { namespace, id, from, to } = relation;
      const known = byId.get(namespace) ?? new Map<string, Relation>();
      byId.set(namespace, known);
      const earlier = known.get(id);
      known.set(id, relation);
      for (const end of [from, to]) {
        if (earlier !== undefined) setAt(namespace, end).delete(earlier);
        if (!relation.undone) setAt(namespace, end).add(relation);
      }
    },
  };
}
