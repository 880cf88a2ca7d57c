import type { Memory } from "../../model/memory.ts";
import type { Settings } from "../../model/settings.ts";
import { entityKey } from "../../text/entities/entity-key.ts";
import { foldCase } from "../../text/normalize.ts";
import { holdsSecret } from "../excerpt.ts";

/** Memories with their entities and tags as sorted numbers, and who holds which entity. */
export interface EntityIndex {
  readonly memories: readonly Memory[];
  /** By row: every entity of the memory, hubs too. */
  readonly entities: readonly (readonly number[])[];
  readonly tags: readonly (readonly number[])[];
  /** By entity: the rows that hold it, ascending; empty for hubs. */
  readonly holders: readonly (readonly number[])[];
  /** By row: how many entities it has, and how many of them are hubs. */
  readonly entityCounts: Uint32Array;
  readonly hubCounts: Uint32Array;
  /** Entities that too many memories hold to say anything, as first written. */
  readonly hubs: readonly string[];
  /** The entities that both rows hold and that may link, as the first of them writes them. */
  shared(first: number, second: number): readonly string[];
}

/** Indexes the live memories of a namespace. */
export function indexEntities(
  memories: readonly Memory[],
  settings: Settings["relations"],
): EntityIndex {
  const entityNumbers = createNumbering(entityKey);
  const tagNumbers = createNumbering(foldCase);
  const entities = memories.map((memory) =>
    entityNumbers.toSortedSet(memory.entities.filter(mayBeShown)),
  );
  const tags = memories.map((memory) => tagNumbers.toSortedSet(memory.tags));
  const holders: number[][] = entityNumbers.firstWritten.map(() => []);
  for (const [row, held] of entities.entries()) for (const one of held) holders[one]?.push(row);
  const limit = hubLimit(memories.length, settings);
  const isHub = holders.map((rows) => rows.length > limit);
  const names = entityNumbers.firstWritten;
  return {
    memories,
    entities,
    tags,
    holders: holders.map((rows, entity) => (isHub[entity] ? [] : rows)),
    entityCounts: Uint32Array.from(entities, (held) => held.length),
    hubCounts: Uint32Array.from(entities, (held) => held.filter((entity) => isHub[entity]).length),
    hubs: names.filter((_, entity) => isHub[entity]),
    shared: (first, second) => {
      const other = entities[second] ?? [];
      const written = new Map(
        (memories[first]?.entities ?? []).map((name) => [entityNumbers.of(name), name]),
      );
      return (entities[first] ?? [])
        .filter((entity) => !isHub[entity] && other.includes(entity))
        .map((entity) => written.get(entity) ?? names[entity] ?? "")
        .sort();
    },
  };
}

/** What links is told to people, in reasons and titles: a credential that an import calls an entity is not. */
function mayBeShown(entity: string): boolean {
  return entity.length < SHORTEST_SECRET || !holdsSecret(entity);
}

/** Characters; what is shorter is not worth the look. */
const SHORTEST_SECRET = 12;

/** An integer rule on counts, so that two runs never disagree over a rounding. */
function hubLimit(live: number, { hubMinimum, hubPercent }: Settings["relations"]): number {
  return Math.max(hubMinimum, Math.floor((live * hubPercent) / 100));
}

/** Number of a text of which nothing is left as its key. */
const NONE = -1;

function createNumbering(keyOf: (text: string) => string) {
  const numbers = new Map<string, number>([["", NONE]]);
  const firstWritten: string[] = [];
  // A name is written in few ways and by many memories, and its key takes longer than all else here.
  const known = new Map<string, number>();
  const numberOf = (key: string, text: string): number => {
    const number = numbers.get(key);
    if (number !== undefined) return number;
    numbers.set(key, firstWritten.length);
    return firstWritten.push(text) - 1;
  };
  const of = (text: string): number => {
    const number = known.get(text) ?? numberOf(keyOf(text), text);
    known.set(text, number);
    return number;
  };
  return {
    firstWritten,
    of,
    toSortedSet: (texts: readonly string[]): readonly number[] =>
      [...new Set(texts.map(of).filter((number) => number !== NONE))].sort((a, b) => a - b),
  };
}

/** Size of the intersection over size of the union of two ascending lists; 0 where both are empty. */
export function jaccard(a: readonly number[], b: readonly number[]): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const order = (a[i] ?? 0) - (b[j] ?? 0);
    if (order === 0) shared += 1;
    if (order <= 0) i += 1;
    if (order >= 0) j += 1;
  }
  const union = a.length + b.length - shared;
  return union === 0 ? 0 : shared / union;
}
