import { hashOf } from "../../model/hash.ts";
import { canonicalJson } from "../../model/json.ts";
import { MEMORY_KINDS, type Memory, type MemoryChanges } from "../../model/memory.ts";
import type { NoteEdits, NoteSubject } from "../../ports/note-vault.ts";
import { extractEntities } from "../../text/entities/extract-entities.ts";
import { findSecrets } from "../../text/secrets.ts";
import { keepForeign } from "./compose-note.ts";
import { diffThreeWays } from "./diff-three-ways.ts";
import { unescapeContent } from "./escape-content.ts";
import { aliasesOf, contentHash, type NoteProjection, projectNote } from "./note-projection.ts";
import { obsidianTag } from "./note-tags.ts";
import { noteTitle } from "./note-title.ts";
import { isContentSealed, type OwnNote, readNote, readOwn } from "./read-note.ts";

/**
 * What a person changed in our part of a note since we wrote it, found by the hash of each part: nothing is compared with what the memory
 * has become since. A part that both changed is a conflict.
 */
export async function readEdits(input: {
  readonly subject: NoteSubject;
  readonly existing: string;
  readonly written: () => Promise<string | undefined>;
}): Promise<NoteEdits> {
  const { subject } = input;
  const note = readNote(input.existing);
  if (typeof note === "string") return blocked(note);
  const reading = readOwn(note);
  // A note that we never wrote into holds nothing of ours to be edited.
  if (reading.kind === "foreign") return { kind: "none" };
  if (reading.kind === "broken") return blocked(reading.reason);
  const state: EditState = {
    subject,
    found: reading.note,
    projection: projectNote(subject),
    forget: note.data.forget === true && !Object.hasOwn(note.data, "archived"),
    written: () => readWritten(input.written, reading.note),
  };
  return await compare(state);
}

interface EditState {
  readonly subject: NoteSubject;
  readonly found: OwnNote;
  readonly projection: NoteProjection;
  readonly forget: boolean;
  readonly written: () => Promise<OwnNote | undefined>;
}

/** One part's answer: what it changes in the memory; `isConflict` where the memory changed there too. */
interface PartEdits {
  readonly changes: MemoryChanges;
  readonly what: readonly string[];
  readonly isConflict?: boolean;
}

const UNCHANGED: PartEdits = { changes: {}, what: [] };

async function compare(state: EditState): Promise<NoteEdits> {
  const parts: (PartEdits | string)[] = [
    contentEdits(state),
    await ownEdits(state),
    await listEdits(state),
  ];
  const reason = parts.find((part) => typeof part === "string");
  if (reason !== undefined) return blocked(reason);
  const edits = parts.filter((part) => typeof part !== "string");
  const what = edits.flatMap((part) => part.what);
  if (what.length === 0 && !state.forget) return { kind: "none" };
  const fields = {
    changes: mergeChanges(state.subject.memory, edits),
    forget: state.forget,
    what: state.forget ? [...what, "forget"] : what,
  };
  if (!edits.some((part) => part.isConflict)) return { kind: "edits", ...fields };
  const base = (await state.written())?.body?.content;
  const theirs = state.found.body?.content ?? "";
  const ours = state.projection.body.content;
  // The diff goes into an issue, and issues are exported.
  const isSecret = findSecrets([base, theirs, ours].join("\n")).length > 0;
  const diff = isSecret ? "(a version holds a secret)" : diffThreeWays({ base, theirs, ours });
  return { kind: "conflict", ...fields, diff };
}

function blocked(reason: string): NoteEdits {
  return { kind: "blocked", reason };
}

/** Title and aliases both stand in `extra`, so their changes are put together there. */
function mergeChanges(memory: Memory, edits: readonly PartEdits[]): MemoryChanges {
  const extras = edits.flatMap(({ changes }) => (changes.extra ? [changes.extra] : []));
  const changes = Object.assign({}, ...edits.map((part) => part.changes)) as MemoryChanges;
  if (extras.length === 0) return changes;
  return { ...changes, extra: Object.assign({}, memory.extra, ...extras) };
}

function contentEdits({ subject, found, projection }: EditState): PartEdits | string {
  if (found.body === undefined) {
    return "the links or sources below its text were changed; what you add goes below the marks";
  }
  if (isContentSealed(found) || found.body.content === projection.body.content) return UNCHANGED;
  const { memory } = subject;
  const content = unescapeContent(found.body.content, memory.content).trim();
  if (content === "") {
    return "its text was emptied; delete the note, or set `forget: true`, to be rid of it";
  }
  // The note keeps its title, which may have been the first sentence of the old text.
  const title = noteTitle(memory);
  const changes: MemoryChanges = {
    content,
    entities: entitiesOf(memory, content),
    ...(noteTitle({ ...memory, content }) === title ? {} : { extra: { title } }),
  };
  const isConflict = contentHash(projection.body.content) !== found.seal.content;
  return { changes, what: ["text"], isConflict };
}

/** Of a document the opening tells what it is about; thousands of names would link it to everything. */
const READ_CHARACTERS = 20_000;

function entitiesOf(memory: Memory, content: string): readonly string[] {
  const kept = memory.entities.filter((entity) => content.includes(entity));
  return [...new Set([...kept, ...extractEntities(content.slice(0, READ_CHARACTERS))])];
}

async function ownEdits(state: EditState): Promise<PartEdits | string> {
  const { found, projection } = state;
  const now = keepForeign(projection.own, found.keeps);
  if (hashOf(found.own, 12) === found.seal.own || isSame(found.own, now)) return UNCHANGED;
  const isMemorySame = hashOf(now, 12) === found.seal.own;
  const base = isMemorySame ? now : (await state.written())?.own;
  const keys = Object.keys({ ...now, ...found.own, ...base });
  const edited = keys.filter((key) => !isSame(found.own[key], (base ?? now)[key]));
  const changes: Record<string, unknown> = {};
  for (const key of edited) {
    const problem = takeOwn(key, found.own[key], changes);
    if (problem !== undefined) return problem;
  }
  const isConflict = edited.some(
    (key) => (base === undefined || !isSame(base[key], now[key])) && key !== "pinned",
  );
  // Every value was checked for its field's type.
  return { changes: changes as MemoryChanges, what: edited, isConflict };
}

/** Puts an edited property into the memory's fields; the reason, where it has no place there. */
function takeOwn(
  key: string,
  value: unknown,
  changes: Record<string, unknown>,
): string | undefined {
  if (key === "pinned" && isTick(value)) changes.pinned = value === true;
  else if (key === "title" && isLine(value)) changes.extra = { title: value.trim() };
  else if (key === "kind" && MEMORY_KINDS.some((kind) => kind === value)) changes.kind = value;
  else if (key === "entities" && isList(value)) changes.entities = cleanList(value);
  else return `its properties were changed: ${key} has no such value in a memory`;
  return undefined;
}

function isTick(value: unknown): boolean {
  return value === undefined || value === null || typeof value === "boolean";
}

function isLine(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

async function listEdits(state: EditState): Promise<PartEdits> {
  const { found, projection, subject } = state;
  if (hashOf(found.lists, 12) === found.seal.lists) return UNCHANGED;
  const base = await baseLists(state);
  if (base === undefined) return UNCHANGED;
  const tags = difference(base.tags, found.lists.tags);
  const aliases = difference(base.aliases, found.lists.aliases);
  const known = new Set(subject.memory.tags.map(foldTag));
  const gone = new Set(tags.removed.map(foldTag));
  const nextTags = [
    ...subject.memory.tags.filter((tag) => !gone.has(foldTag(tag))),
    ...tags.added.filter((tag) => !known.has(foldTag(tag))),
  ];
  const before = aliasesOf(subject.memory.extra.aliases);
  const nextAliases = [
    ...before.filter((alias) => !aliases.removed.includes(alias)),
    ...aliases.added.filter((alias) => !before.includes(alias) && alias !== projection.own.title),
  ];
  return {
    changes: {
      ...(isSame(nextTags, subject.memory.tags) ? {} : { tags: nextTags }),
      ...(isSame(nextAliases, before) ? {} : { extra: { aliases: nextAliases } }),
    },
    what: [
      ...(tags.added.length + tags.removed.length > 0 ? ["tags"] : []),
      ...(aliases.added.length + aliases.removed.length > 0 ? ["aliases"] : []),
    ],
  };
}

/** The lists as we left them: those of the memory, if nothing else stood there and it has not changed since, or what was written. */
async function baseLists({ found, projection, written }: EditState) {
  const { shared } = projection;
  if (hashOf(shared, 12) === found.seal.lists) return shared;
  const base = await written();
  return base?.lists;
}

function difference(before: unknown, after: unknown) {
  // A person's `tags: a b` is no list: what they mean by it is theirs to know.
  const isNone = after === undefined || after === null;
  if (!isNone && !isList(after)) return { added: [], removed: [] };
  const old = isList(before) ? cleanList(before) : [];
  const next = isNone ? [] : cleanList(after);
  return {
    added: next.filter((item) => !old.includes(item)),
    removed: old.filter((item) => !next.includes(item)),
  };
}

function isList(value: unknown): value is readonly (string | number)[] {
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === "string" || typeof item === "number")
  );
}

function cleanList(items: readonly (string | number)[]): string[] {
  const clean = items.map((item) => String(item).trim().replace(/^#/, ""));
  return [...new Set(clean.filter((item) => item !== ""))];
}

function foldTag(tag: string): string {
  return obsidianTag(tag).toLowerCase();
}

/** What we wrote last, if it is that text which the note's hashes are of. */
async function readWritten(
  written: () => Promise<string | undefined>,
  found: OwnNote,
): Promise<OwnNote | undefined> {
  const text = await written();
  const note = text === undefined ? undefined : readNote(text);
  if (note === undefined || typeof note === "string") return undefined;
  const reading = readOwn(note);
  if (reading.kind !== "own" || !isSame(reading.note.seal, found.seal)) return undefined;
  return reading.note;
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
