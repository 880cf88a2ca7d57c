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
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(incoming)) {
    if (!UNDECIDED.has(name) && !isDefault(name, value)) record[name] = value;
  }
  if (hasOwnEntities(incoming, extractEntities)) record.entities = incoming.entities;
  return `${hashOf(record, 32)}.${contentHashOf(incoming.content)}`;
}

const UNDECIDED: ReadonlySet<string> = new Set<keyof IncomingMemory>([
  "id",
  "namespace",
  "entities",
  "provenance",
  "contentHash",
  "storedExtra",
  "fallbackCreatedAt",
  "archivedAt",
]);

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

/** Stated, and others than are found in the text. */
function hasOwnEntities(
  { entities = [], content }: IncomingMemory,
  extractEntities: ExtractEntities,
): boolean {
  if (entities.length === 0) return false;
  const found = new Set(extractEntities(content));
  return found.size !== entities.length || !entities.every((entity) => found.has(entity));
}
