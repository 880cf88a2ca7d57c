import { z } from "zod";
import type { JsonObject } from "../model/json.ts";
import { type Memory, memoryKey } from "../model/memory.ts";
import { RELATION_TYPES, type Relation } from "../model/relation.ts";
import { describeEmpty, MCP_KEY, type McpMark, mcpMarkSchema } from "./mcp.ts";

interface Entity {
  readonly type: "entity";
  readonly name: string;
  readonly entityType: string;
  readonly observations: readonly string[];
}

interface Link {
  readonly type: "relation";
  readonly from: string;
  readonly to: string;
  readonly relationType: string;
}

/**
 * Memories as a graph of entities: each memory is an observation of the entity it came from, else of its first entity, else of one that
 * bears its id. Relations join the entities of their ends, each link once; where a memory was merged from others is no fact of the graph.
 */
export function mcpLines(
  live: readonly Memory[],
  known: readonly Memory[],
  relations: readonly Relation[],
): { readonly entities: readonly JsonObject[]; readonly relations: readonly Link[] } {
  const entities = entitiesOf(live);
  const names = new Map(known.map((memory) => [memoryKey(memory), markOf(memory).entity]));
  const present = new Set(entities.map(({ name }) => name));
  const links = relations
    .filter(({ type }) => type !== RELATION_TYPES.consolidatedFrom)
    .flatMap((relation) => linkOf(relation, names) ?? [])
    .filter(({ from, to }) => present.has(from) && present.has(to));
  const distinct = new Map(links.map((link) => [JSON.stringify(link), link]));
  return { entities, relations: [...distinct.values()] };
}

function entitiesOf(live: readonly Memory[]): readonly (Entity & JsonObject)[] {
  const groups = new Map<string, Memory[]>();
  for (const memory of [...live].sort(inOrder)) {
    const { entity } = markOf(memory);
    const group = groups.get(entity);
    if (group) group.push(memory);
    else groups.set(entity, [memory]);
  }
  return [...groups].map(([name, memories]) => entityOf(name, memories));
}

function entityOf(name: string, memories: readonly Memory[]): Entity & JsonObject {
  const marks = memories.map(markOf);
  const [first] = marks;
  const observations = memories.flatMap((memory, index) =>
    isStandIn(memory, marks[index]) ? [] : [memory.content],
  );
  return {
    ...first?.fields,
    type: "entity",
    name,
    entityType: first?.entityType ?? "",
    observations: [...new Set(observations)],
  };
}

/** The record of an entity without observations; once somebody gives it a text of its own, that is an observation. */
function isStandIn(memory: Memory, mark: McpMark | undefined): boolean {
  return mark?.empty === true && memory.content === describeEmpty(mark);
}

/** Where it stood in the graph it came from; for others, by when they were made. */
function inOrder(a: Memory, b: Memory): number {
  const [first, second] = [markOf(a), markOf(b)];
  return (
    (first.line ?? Infinity) - (second.line ?? Infinity) ||
    (first.index ?? 0) - (second.index ?? 0) ||
    a.createdAt - b.createdAt
  );
}

function markOf(memory: Memory): McpMark {
  const mark = mcpMarkSchema.safeParse(memory.extra[MCP_KEY]);
  if (mark.success) return mark.data;
  return { entity: memory.entities[0] ?? memory.id, entityType: memory.kind };
}

const linkMarkSchema = z.object({ from: z.string(), to: z.string() });

function linkOf(relation: Relation, names: ReadonlyMap<string, string>): Link | undefined {
  const { namespace, type } = relation;
  const mark = linkMarkSchema.safeParse(relation.metadata[MCP_KEY]).data;
  const from = mark?.from ?? names.get(memoryKey({ namespace, id: relation.from }));
  const to = mark?.to ?? names.get(memoryKey({ namespace, id: relation.to }));
  if (from === undefined || to === undefined) return undefined;
  // Two memories of one entity that are related say nothing about the entity; a graph's own loop does.
  if (from === to && mark === undefined) return undefined;
  return { type: "relation", from, to, relationType: type };
}
