import { z } from "zod";
import { hashOf } from "../model/hash.ts";
import type { JsonObject } from "../model/json.ts";
import { jsonObjectSchema } from "../model/json-value-schema.ts";
import {
  type IncomingMemory,
  type IntakeItem,
  type IntakeReader,
  incomingFieldsSchema,
  type Origin,
} from "./incoming.ts";
import { type FieldNames, type Parsed, parseFields, parseObject } from "./parse-line.ts";
import { readLines } from "./read-lines.ts";

/** Key in `extra` of what the graph says of a memory's entity. */
export const MCP_KEY = "mcp";

/** What `extra.mcp` holds: enough to write the graph again. */
export const mcpMarkSchema = z.object({
  entity: z.string(),
  entityType: z.string(),
  /** True for the stand-in of an entity without observations: its content says only that it exists. */
  empty: z.literal(true).exactOptional(),
  /** Fields of the entity that the format does not know. */
  fields: jsonObjectSchema.exactOptional(),
  /** Line of the entity and place among its observations: they keep the file's order. */
  line: z.number().exactOptional(),
  index: z.number().exactOptional(),
});
export type McpMark = z.infer<typeof mcpMarkSchema>;

/**
 * The file of the MCP project's memory server, a graph of entities with observations. Each observation is a memory, named after entity
 * and text; its entity is one of its entities and its type a tag. An entity without observations is kept as one memory. Relations join
 * entities: they are kept between the first memory of each, with the entities' names in `metadata.mcp`.
 */
export const mcpReader: IntakeReader = {
  isLog: false,
  async *read(source) {
    const anchors = new Map<string, string>();
    const links: Link[] = [];
    for await (const line of readLines(source.path)) {
      if (line.kind === "bad") {
        yield line;
        continue;
      }
      const parsed = lineFrom(line.text);
      if (!parsed.ok) yield { kind: "bad", origin: line.origin, reason: parsed.reason };
      else if (parsed.value.type === "relation")
        links.push({ ...parsed.value, origin: line.origin });
      else yield* readEntity(parsed.value, line.origin, anchors);
    }
    // The server writes relations last, but a file put together by hand may not.
    for (const link of links) yield relationOf(link, anchors);
  },
};

const entitySchema = z.looseObject({
  type: z.literal("entity"),
  name: z.string().min(1),
  entityType: z.string(),
  observations: z.array(z.unknown()),
});
type Entity = z.infer<typeof entitySchema>;

const linkSchema = z.object({
  type: z.literal("relation"),
  from: z.string(),
  to: z.string(),
  relationType: z.string().min(1),
});
type Link = z.infer<typeof linkSchema> & { readonly origin: Origin };

const lineSchema = z.discriminatedUnion("type", [entitySchema, linkSchema]);

const NAMES: FieldNames = {};

function lineFrom(text: string): Parsed<z.infer<typeof lineSchema>> {
  const parsed = parseObject(text);
  return parsed.ok ? parseFields(lineSchema, parsed.value, NAMES) : parsed;
}

function* readEntity(
  entity: Entity,
  origin: Origin,
  anchors: Map<string, string>,
): Generator<IntakeItem> {
  const { type: _type, name, entityType, observations, ...fields } = entity;
  const mark = {
    entity: name,
    entityType,
    // The line was JSON; the schema's type for unknown fields does not say so.
    ...(Object.keys(fields).length === 0 ? {} : { fields: fields as JsonObject }),
  };
  const texts = observations.length === 0 ? [undefined] : observations;
  for (const [index, text] of texts.entries()) {
    const memory = memoryOf(mark, text, { line: origin.line, index });
    const ownOrigin = { ...origin, raw: () => rawOf(entity, text) };
    if (!memory.ok) {
      yield { kind: "bad", origin: ownOrigin, reason: memory.reason };
      continue;
    }
    if (!anchors.has(name)) anchors.set(name, memory.value.id);
    yield { kind: "memory", origin: ownOrigin, memory: memory.value };
  }
}

/** The entity with the one observation at fault, in the same format: mended, it can be imported. */
function rawOf(entity: Entity, observation: unknown): string {
  return JSON.stringify({
    ...entity,
    observations: observation === undefined ? [] : [observation],
  });
}

function memoryOf(
  mark: McpMark,
  observation: unknown,
  position: JsonObject,
): Parsed<IncomingMemory> {
  const { entity, entityType } = mark;
  const isEmpty = observation === undefined;
  const fields = {
    id: `mcp-${hashOf([entity, observation ?? null], 24)}`,
    content: isEmpty ? describeEmpty(mark) : observation,
    ...(entityType.trim() === "" ? {} : { tags: [entityType] }),
  };
  const parsed = parseFields(incomingFieldsSchema, fields, { observations: "content" });
  if (!parsed.ok) return parsed;
  const kept: JsonObject = isEmpty ? { ...mark, empty: true } : { ...mark };
  const memory: IncomingMemory = {
    ...parsed.value,
    id: fields.id,
    extra: { [MCP_KEY]: kept },
    storedExtra: { [MCP_KEY]: { ...kept, ...position } },
    alsoEntities: [entity],
  };
  return { ok: true, value: memory };
}

/** What stands for the observations of an entity that has none. */
export function describeEmpty({ entity, entityType }: McpMark): string {
  return entityType.trim() === "" ? `${entity} exists.` : `${entity} is of type ${entityType}.`;
}

function relationOf(link: Link, anchors: ReadonlyMap<string, string>): IntakeItem {
  const { origin, from, to, relationType } = link;
  const missing = [from, to].find((name) => !anchors.has(name));
  const [fromId, toId] = [anchors.get(from), anchors.get(to)];
  if (fromId === undefined || toId === undefined) {
    return { kind: "dropped", origin, reason: `no entity "${missing}" in the file` };
  }
  const metadata = { [MCP_KEY]: { from, to } };
  return {
    kind: "relation",
    origin,
    relation: { from: fromId, to: toId, type: relationType, metadata },
  };
}
