import { hashOf } from "../model/hash.ts";
import type { Memory } from "../model/memory.ts";
import type { IncomingMemory } from "./incoming.ts";
import { contentHashOf } from "./record-form.ts";

export type ExtractEntities = (text: string) => readonly string[];

/**
 * Names what a file says of a memory: `<hash of the record>.<hash of its content>`. Stated defaults and absent fields are the same, and
 * so are absent entities and those that are found in the text anyway: an export of an untouched memory has the hash of its original.
 * Not part of it: what the file does not decide (place in the file, chain of custody, times that an import supplies).
 */
export function importHashOf(incoming: IncomingMemory, extractEntities: ExtractEntities): string {
  const { id, namespace, entities, provenance, contentHash, ...stated } = incoming;
  const { storedExtra, fallbackCreatedAt, archivedAt, ...fields } = stated;
  const told = Object.entries(fields).filter(([name, value]) => !isDefault(name, value));
  const record = { ...Object.fromEntries(told), ...statedEntities(incoming, extractEntities) };
  return `${hashOf(record, 32)}.${contentHashOf(incoming.content)}`;
}

/** The hash of the content that was imported, to tell whether it was edited since. */
export function importedContentHash({ importHash }: Memory): string | undefined {
  return importHash?.split(".")[1];
}

const DEFAULTS: Readonly<Record<string, unknown>> = {
  kind: "semantic",
  useCount: 0,
  reviewCount: 0,
  strength: 1,
  pinned: false,
  disputed: false,
  status: "active",
};

function isDefault(name: string, value: unknown): boolean {
  return DEFAULTS[name] === value || (Array.isArray(value) && value.length === 0);
}

function statedEntities(incoming: IncomingMemory, extractEntities: ExtractEntities) {
  const { entities = [], content } = incoming;
  if (entities.length === 0) return {};
  const found = new Set(extractEntities(content));
  const isFound = found.size === entities.length && entities.every((entity) => found.has(entity));
  return isFound ? {} : { entities };
}
