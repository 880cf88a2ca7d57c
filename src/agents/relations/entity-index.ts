import type { Memory } from "../../model/memory.ts";
import type { Settings } from "../../model/settings.ts";
import { entityKey } from "../../text/entities/entity-key.ts";
import { foldCase } from "../../text/normalize.ts";
import { holdsSecret } from "../excerpt.ts";
import { type FlatLists, flatten } from "./flat-lists.ts";

/** Memories with their entities and tags as sorted numbers, and who holds which entity. */
export interface EntityIndex {
  readonly memories: readonly Memory[];
  /** By row, ascending: every entity of the memory, and those that may link, which hubs may not. */
  readonly entities: FlatLists;
  readonly linking: FlatLists;
  readonly tags: FlatLists;
  /** By entity: the rows that hold it, those with the fewest entities first, then ascending; empty for hubs. */
  readonly holders: FlatLists;
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
  const names = entityNumbers.firstWritten;
  const holders = holdersOf(entities, names.length);
  const limit = hubLimit(memories.length, settings);
  const isHub = holders.map((rows) => rows.length > limit);
  const mayLink = (entity: number): boolean => isHub[entity] !== true;
  return {
    memories,
    entities: flatten(entities),
    linking: flatten(entities.map((held) => held.filter(mayLink))),
    tags: flatten(tags),
    holders: flatten(holders.map((rows, entity) => (isHub[entity] ? [] : rows))),
    hubs: names.filter((_, entity) => isHub[entity]),
    shared: (first, second) => {
      const other = entities[second] ?? [];
      const written = new Map(
        (memories[first]?.entities ?? []).map((name) => [entityNumbers.of(name), name]),
      );
      return (entities[first] ?? [])
        .filter((entity) => mayLink(entity) && other.includes(entity))
        .map((entity) => written.get(entity) ?? names[entity] ?? "")
        .sort();
    },
  };
}

/** By entity: the rows that hold it, those with the fewest entities first, then ascending. */
function holdersOf(
  entities: readonly (readonly number[])[],
  count: number,
): readonly (readonly number[])[] {
  const rowsBySize: number[][] = [];
  for (const [row, { length }] of entities.entries()) {
    const rows = rowsBySize[length] ?? [];
    rowsBySize[length] = rows;
    rows.push(row);
  }
  const holders: number[][] = Array.from({ length: count }, () => []);
  for (const row of rowsBySize.flatMap((rows) => rows ?? [])) {
    for (const entity of entities[row] ?? []) holders[entity]?.push(row);
  }
  return holders;
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
