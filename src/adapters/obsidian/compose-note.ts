import { hashOf } from "../../model/hash.ts";
import { canonicalJson } from "../../model/json.ts";
import type { Memory } from "../../model/memory.ts";
import type { ComposedNote, NoteSubject } from "../../ports/note-vault.ts";
import { findSecrets } from "../../text/secrets.ts";
import { editProperties } from "./edit-properties.ts";
import { writeRegion } from "./marked-region.ts";
import { joinBody } from "./note-body.ts";
import { joinNote } from "./note-parts.ts";
import {
  type NoteProjection,
  OWN_KEYS,
  projectNote,
  readSeal,
  renderSeal,
  SEAL_KEY,
  SHARED_KEYS,
  sealOf,
} from "./note-projection.ts";
import type { PropertyValue } from "./property-text.ts";
import {
  isContentSealed,
  listsOf,
  type OwnNote,
  pickOwn,
  type ReadNote,
  readNote,
  readOwn,
  stringList,
} from "./read-note.ts";

/**
 * The note's text for a memory. What a person wrote around our properties and our marked region stays byte for byte; where they changed
 * those, or where the properties cannot be read, the note is left alone. `edits` is "taken" where what they changed in our part went
 * into the memory, so that it may be written over.
 */
export function composeNote(
  subject: NoteSubject,
  existing: string | undefined,
  edits: "kept" | "taken" = "kept",
): ComposedNote {
  const secret = secretsIn(subject.memory);
  if (secret !== "") {
    const reason = `its memory holds a secret (${secret}), which no note shows: edit the memory without it`;
    return { kind: "edited", reason };
  }
  return composeProjection(projectNote(subject), existing, edits);
}

/** Kinds of secret in what a note shows of a memory; promotion asks first, but a promoted memory may be edited. */
function secretsIn({ content, context = "", source = "", tags, entities }: Memory): string {
  const shown = [content, context, source, ...tags, ...entities].join("\n");
  const kinds = new Set(findSecrets(shown).map(({ kind }) => kind.replaceAll("_", " ")));
  return [...kinds].sort().join(", ");
}

export function composeProjection(
  projection: NoteProjection,
  existing: string | undefined,
  edits: "kept" | "taken" = "kept",
): ComposedNote {
  const before = readNote(existing ?? "");
  if (typeof before === "string") return { kind: "edited", reason: before };
  const standing = inspect(before, projection, edits);
  if (standing.kind === "edited") return standing;
  const wanted = { ...projection, own: keepForeign(projection.own, standing.keeps) };
  const text = rewrite(before, wanted, edits);
  if (text === existing) return { kind: "text", text };
  const problem = check(text, before, wanted);
  if (problem === undefined) return { kind: "text", text };
  if (existing === undefined)
    throw new Error(`the note of ${String(projection.own.id)}: ${problem}`);
  return { kind: "edited", reason: `it cannot be changed in place: ${problem}` };
}

type Standing =
  | { readonly kind: "ours"; readonly keeps: readonly string[] }
  | { readonly kind: "edited"; readonly reason: string };

/** Whether we may write: the note is new to us, or our part is as we left it, or says already what it is to say. */
function inspect(note: ReadNote, projection: NoteProjection, edits: "kept" | "taken"): Standing {
  const reading = readOwn(note);
  if (reading.kind === "foreign") return inspectForeign(note, projection);
  if (reading.kind === "broken") return edited(reading.reason);
  const { own, keeps } = reading.note;
  if (own.id !== undefined && own.id !== projection.own.id) {
    return edited(`it belongs to another memory, ${String(own.id)}`);
  }
  const reason = edits === "taken" ? undefined : whatWasEdited(note, reading.note, projection);
  return reason === undefined ? { kind: "ours", keeps } : edited(reason);
}

function whatWasEdited(
  note: ReadNote,
  found: OwnNote,
  projection: NoteProjection,
): string | undefined {
  const { own, keeps, seal } = found;
  const wanted = keepForeign(projection.own, keeps);
  if (hashOf(own, 12) !== seal.own && !isSame(own, wanted)) {
    return `its properties were changed${named(own, wanted)}`;
  }
  const isAsWanted = note.region.kind === "one" && note.region.text === joinBody(projection.body);
  if (isAsWanted || isContentSealed(found)) return undefined;
  if (found.body?.content === projection.body.content) return undefined;
  return "the text between the slowwave marks was changed";
}

/** A note without any trace of us: taken over beside what it holds, keys of the same name staying its own. */
function inspectForeign(note: ReadNote, projection: NoteProjection): Standing {
  if (note.data.id === projection.own.id) {
    return edited(`its ${SEAL_KEY} property and the marked text were removed`);
  }
  return { kind: "ours", keeps: OWN_KEYS.filter((key) => Object.hasOwn(note.data, key)) };
}

function edited(reason: string): Standing {
  return { kind: "edited", reason };
}

function named(
  own: Readonly<Record<string, unknown>>,
  wanted: Readonly<Record<string, unknown>>,
): string {
  const keys = [...new Set([...Object.keys(wanted), ...Object.keys(own)])];
  const differing = keys.filter((key) => !isSame(own[key], wanted[key]));
  return differing.length === 0 ? "" : `: they differ in ${differing.join(", ")}`;
}

export function keepForeign(
  own: NoteProjection["own"],
  keeps: readonly string[],
): NoteProjection["own"] {
  if (keeps.length === 0) return own;
  const rest = Object.entries(own).filter(([key]) => !keeps.includes(key));
  return { ...Object.fromEntries(rest), "slowwave-keeps": keeps };
}

function rewrite(note: ReadNote, wanted: NoteProjection, edits: "kept" | "taken"): string {
  const { parts, spans, region } = note;
  const changes = changedProperties(note.data, wanted, edits);
  const text = joinBody(wanted.body);
  const body =
    region.kind === "one" && region.text === text
      ? parts.body
      : writeRegion(parts.body, text, parts.eol);
  return joinNote({ ...editProperties(parts, spans, changes), body });
}

type Wish = readonly [string, PropertyValue | undefined];

/** Properties to be written, in the order in which a new note has them; `undefined` takes one out. */
function changedProperties(
  data: ReadNote["data"],
  wanted: NoteProjection,
  edits: "kept" | "taken",
): ReadonlyMap<string, PropertyValue | undefined> {
  const { title, ...own } = wanted.own;
  const lists = changedLists(data, wanted);
  const seal = nextSeal(data, wanted, { lists, edits });
  const all: readonly Wish[] = [
    ["title", title],
    ...lists,
    ...Object.entries(own),
    ...tickedOff(data, wanted),
    [SEAL_KEY, renderSeal(seal)],
  ];
  const changed = all.filter(([key, value]) => value !== undefined && !isSame(data[key], value));
  const keeps = stringList(wanted.own["slowwave-keeps"]);
  const gone = Object.keys(pickOwn(data, keeps)).filter((key) => !Object.hasOwn(wanted.own, key));
  return new Map<string, PropertyValue | undefined>([
    ...changed,
    ...gone.map((key) => [key, undefined] as const),
  ]);
}

/** `forget: true` is done once the memory is archived; left as it is, it would archive a memory that is brought back later. */
function tickedOff(data: ReadNote["data"], wanted: NoteProjection): readonly Wish[] {
  return data.forget === true && Object.hasOwn(wanted.own, "archived") ? [["forget", false]] : [];
}

function changedLists(data: ReadNote["data"], wanted: NoteProjection): readonly Wish[] {
  const previous = readSeal(data[SEAL_KEY])?.shared;
  // A person who took one of our tags out keeps it out until the memory's own tags change.
  const isAsBefore = previous === hashOf(wanted.shared, 12);
  return SHARED_KEYS.map((key) => [
    key,
    isAsBefore ? undefined : united(data[key], wanted.shared[key]),
  ]);
}

/** Lists that a person changed and nobody has read yet keep their old hash, or their change would never be seen. */
function nextSeal(
  data: ReadNote["data"],
  wanted: NoteProjection,
  write: { readonly lists: readonly Wish[]; readonly edits: "kept" | "taken" },
) {
  const given = write.lists.filter(([, value]) => value !== undefined);
  const lists = { ...listsOf(data), ...Object.fromEntries(given) };
  const seal = sealOf(wanted, lists);
  const previous = readSeal(data[SEAL_KEY])?.lists;
  const isUnread =
    write.edits === "kept" && previous !== undefined && previous !== hashOf(listsOf(data), 12);
  return isUnread ? { ...seal, lists: previous } : seal;
}

/** Theirs, then those of ours they lack; `undefined` where the property is no list and so stays as it is. */
function united(theirs: unknown, ours: readonly string[]): readonly string[] | undefined {
  if (theirs === undefined || theirs === null) return ours;
  if (!Array.isArray(theirs) || !theirs.every((item) => typeof item === "string")) return undefined;
  return [...theirs, ...ours.filter((item) => !theirs.includes(item))];
}

/** Reads the result again: our values arrived, and all else is what it was. */
function check(text: string, before: ReadNote, wanted: NoteProjection): string | undefined {
  const after = readNote(text);
  if (typeof after === "string") return after;
  if (!isSame(pickOwn(after.data, stringList(wanted.own["slowwave-keeps"])), wanted.own)) {
    return "the properties did not come back as written";
  }
  if (after.region.kind !== "one" || after.region.text !== joinBody(wanted.body)) {
    return "the text between the marks did not come back as written";
  }
  const ours = new Set<string>([SEAL_KEY, "forget", ...SHARED_KEYS]);
  const isOurs = (key: string): boolean =>
    ours.has(key) || Object.hasOwn(wanted.own, key) || isTakenOut(key, wanted);
  const foreign = (note: ReadNote): unknown =>
    Object.entries(note.data).filter(([key]) => !isOurs(key));
  return isSame(foreign(after), foreign(before)) ? undefined : "other properties would change";
}

function isTakenOut(key: string, { own }: NoteProjection): boolean {
  return OWN_KEYS.some((mine) => mine === key) && !stringList(own["slowwave-keeps"]).includes(key);
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
