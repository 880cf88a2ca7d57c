import path from "node:path";
import { hashOf } from "../model/hash.ts";
import { parseInstant } from "../model/instant.ts";
import type { JsonObject, JsonValue } from "../model/json.ts";
import { type IncomingMemory, incomingFieldsSchema } from "./incoming.ts";
import { type Block, splitBlocks } from "./markdown-blocks.ts";
import { type Frontmatter, inlineTags, type Note } from "./markdown-note.ts";
import { type FieldNames, findUnsafe, type Parsed, parseFields } from "./parse-line.ts";

export interface NoteMemory {
  readonly memory: Parsed<IncomingMemory>;
  readonly text: string;
  readonly line: number;
}

const NAMES: FieldNames = { "the note's text": "content" };

/**
 * The memories of a note: the note itself, or, of an index file (`MEMORY.md`, in any case), each of its bullets and paragraphs. A note
 * without text (a name that others link to) is none.
 */
export function memoriesOfNote(
  note: Note,
  place: { readonly file: string; readonly modifiedAt: number },
): readonly NoteMemory[] {
  const facts = factsOf(note.frontmatter, place.file);
  const finish = (own: JsonObject, text: string): Parsed<IncomingMemory> => {
    const unsafe = findUnsafe(text);
    if (unsafe !== undefined) return { ok: false, reason: unsafe };
    const tags = [...new Set([...facts.tags, ...inlineTags(text)])];
    const fields = { ...facts.fields, ...own, content: text, tags, source: place.file };
    const parsed = parseFields(incomingFieldsSchema, fields, NAMES);
    const id = typeof own.id === "string" ? own.id : "";
    const extra = { extra: facts.extra, fallbackCreatedAt: place.modifiedAt };
    return parsed.ok ? { ok: true, value: { ...parsed.value, id, ...extra } } : parsed;
  };
  if (isIndexFile(place.file)) return blockMemories(note, place.file, finish);
  const text = note.body.replace(/^(?:[^\S\n]*\n)+/, "").trimEnd();
  if (text.trim() === "") return [];
  const id = noteId(note.frontmatter, place.file);
  return [{ memory: finish({ id }, text), text, line: 1 }];
}

export function isIndexFile(file: string): boolean {
  return path.posix.basename(file).toLowerCase() === "memory.md";
}

/** The id its frontmatter states, else a hash of its path: a note that is edited stays the same memory, one that is moved does not. */
export function noteId(frontmatter: Frontmatter, file: string): string {
  const [stated] = frontmatter.texts("id");
  return stated === undefined || stated.trim() === "" ? `md-${hashOf([file], 24)}` : stated.trim();
}

function blockMemories(
  note: Note,
  file: string,
  finish: (own: JsonObject, text: string) => Parsed<IncomingMemory>,
): readonly NoteMemory[] {
  const seen = new Map<string, number>();
  return splitBlocks(note.body).map((block: Block) => {
    const { text, headings, line } = block;
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    const id = `md-${hashOf(count === 1 ? [file, text] : [file, text, count], 24)}`;
    const context = headings.join(" > ");
    const memory = finish(context === "" ? { id } : { id, context }, text);
    return { memory, text, line: note.bodyLine - 1 + line };
  });
}

interface NoteFacts {
  readonly fields: JsonObject;
  readonly tags: readonly string[];
  /** All other frontmatter, as it is. */
  readonly extra: JsonObject;
}

const CREATED_KEYS = ["created", "created_at", "createdAt", "date"] as const;
const UPDATED_KEYS = ["last_used", "updated", "updated_at", "modified"] as const;

/** Frontmatter is a person's own: a field with a meaning here is used where it makes sense, and kept as it is where not. */
function factsOf(frontmatter: Frontmatter, file: string): NoteFacts {
  const { values, texts } = frontmatter;
  const created = firstTime(values, CREATED_KEYS);
  const updated = firstTime(values, UPDATED_KEYS);
  const createdAt =
    created?.time ?? timeOf(/^\d{4}-\d{2}-\d{2}/.exec(path.posix.basename(file))?.[0]);
  const kind = incomingFieldsSchema.shape.kind.safeParse(values.kind).data;
  const entities = [...new Set(texts("entities"))];
  const pinned = values.pinned;
  const used = new Set(["id", "tags", "tag", created?.key, updated?.key]);
  if (kind !== undefined) used.add("kind");
  if (entities.length > 0) used.add("entities");
  if (typeof pinned === "boolean") used.add("pinned");
  return {
    fields: {
      ...(createdAt === undefined ? {} : { createdAt }),
      ...(updated === undefined ? {} : { lastUsedAt: updated.time }),
      ...(kind === undefined ? {} : { kind }),
      ...(entities.length === 0 ? {} : { entities }),
      ...(typeof pinned === "boolean" ? { pinned } : {}),
    },
    tags: [...tagsOf(texts("tags")), ...tagsOf(texts("tag"))],
    extra: Object.fromEntries(Object.entries(values).filter(([key]) => !used.has(key))),
  };
}

/** A list, or one text with several: `a, b` and `#a #b` are both in use. */
function tagsOf(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => text.split(/[\s,]+/))
    .flatMap((tag) => tag.replace(/^#+/, "") || []);
}

function firstTime(values: JsonObject, keys: readonly string[]) {
  for (const key of keys) {
    const time = timeOf(values[key]);
    if (time !== undefined) return { key, time };
  }
  return undefined;
}

function timeOf(value: JsonValue | undefined): number | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  try {
    return parseInstant(value, "created");
  } catch {
    // "last spring" is a fine thing to write in a note: it stays among the other fields.
    return undefined;
  }
}
