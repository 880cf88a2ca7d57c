import { hashOf, hashText } from "../../model/hash.ts";
import { canonicalJson } from "../../model/json.ts";
import type { ComposedNote, NoteSubject } from "../../ports/note-vault.ts";
import { editProperties } from "./edit-properties.ts";
import { type RegionReading, readRegion, writeRegion } from "./marked-region.ts";
import { joinNote, type NoteParts, splitNote } from "./note-parts.ts";
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
import { type PropertySpan, readProperties } from "./read-properties.ts";

/** A note that stands on disk, read. */
interface ReadNote {
  readonly parts: NoteParts;
  readonly data: Readonly<Record<string, unknown>>;
  readonly spans: ReadonlyMap<string, PropertySpan>;
  readonly region: RegionReading;
}

/**
 * The note's text for a memory. What a person wrote around our properties and our marked region stays byte for byte; where they changed
 * those, or where the properties cannot be read, the note is left alone.
 */
export function composeNote(subject: NoteSubject, existing: string | undefined): ComposedNote {
  const projection = projectNote(subject);
  const before = readNote(existing ?? "");
  if (typeof before === "string") return { kind: "edited", reason: before };
  const standing = inspect(before, projection);
  if (standing.kind === "edited") return standing;
  const wanted = { ...projection, own: keepForeign(projection.own, standing.keeps) };
  const text = rewrite(before, wanted);
  if (text === existing) return { kind: "text", text };
  const problem = check(text, before, wanted);
  if (problem === undefined) return { kind: "text", text };
  if (existing === undefined) throw new Error(`the note of ${subject.memory.id}: ${problem}`);
  return { kind: "edited", reason: `it cannot be changed in place: ${problem}` };
}

function readNote(text: string): ReadNote | string {
  const parts = splitNote(text);
  if (parts === undefined) return "line 1: the properties start here and never end";
  const properties = readProperties(text, parts);
  if (!properties.ok) return properties.reason;
  const region = readRegion(parts.body);
  if (region.kind === "broken") return region.reason;
  return { parts, data: properties.data, spans: properties.spans, region };
}

type Standing =
  | { readonly kind: "ours"; readonly keeps: readonly string[] }
  | { readonly kind: "edited"; readonly reason: string };

/** Whether we may write: the note is new to us, or our part is as we left it. */
function inspect(note: ReadNote, projection: NoteProjection): Standing {
  const seal = readSeal(note.data[SEAL_KEY]);
  const { region } = note;
  if (seal === undefined && region.kind === "none") return inspectForeign(note, projection);
  if (seal === undefined) return edited(`its ${SEAL_KEY} property is gone or was changed`);
  if (region.kind !== "one") return edited("the slowwave marks in its text are gone");
  const keeps = stringList(note.data["slowwave-keeps"]);
  const own = pickOwn(note, keeps);
  if (own.id !== undefined && own.id !== projection.own.id) {
    return edited(`it belongs to another memory, ${String(own.id)}`);
  }
  if (hashOf(own, 12) !== seal.own)
    return edited(`its properties were changed${named(own, projection)}`);
  if (hashText(region.text).slice(0, 12) !== seal.region) {
    return edited("the text between the slowwave marks was changed");
  }
  return { kind: "ours", keeps };
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

function named(own: Readonly<Record<string, unknown>>, { own: wanted }: NoteProjection): string {
  const differing = Object.keys(wanted).filter((key) => !isSame(own[key], wanted[key]));
  return differing.length === 0 ? "" : `: they differ in ${differing.join(", ")}`;
}

function keepForeign(own: NoteProjection["own"], keeps: readonly string[]): NoteProjection["own"] {
  if (keeps.length === 0) return own;
  const rest = Object.entries(own).filter(([key]) => !keeps.includes(key));
  return { ...Object.fromEntries(rest), "slowwave-keeps": keeps };
}

function rewrite(note: ReadNote, wanted: NoteProjection): string {
  const { parts, spans, data } = note;
  const changes = changedProperties(data, wanted);
  const body =
    note.region.kind === "one" && note.region.text === wanted.region
      ? parts.body
      : writeRegion(parts.body, wanted.region, parts.eol);
  return joinNote({ ...editProperties(parts, spans, changes), body });
}

function changedProperties(
  data: ReadNote["data"],
  wanted: NoteProjection,
): ReadonlyMap<string, PropertyValue> {
  const { title, ...own } = wanted.own;
  const seal = sealOf(wanted);
  const all: [string, PropertyValue | undefined][] = [
    ["title", title],
    ...SHARED_KEYS.map((key): [string, PropertyValue | undefined] => [
      key,
      // A person who took one of our tags out keeps it out until the memory's own tags change.
      readSeal(data[SEAL_KEY])?.shared === seal.shared
        ? undefined
        : united(data[key], wanted.shared[key]),
    ]),
    ...Object.entries(own),
    [SEAL_KEY, renderSeal(seal)],
  ];
  return new Map(
    all.filter(
      (entry): entry is [string, PropertyValue] =>
        entry[1] !== undefined && !isSame(data[entry[0]], entry[1]),
    ),
  );
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
  if (!isSame(pickOwn(after, stringList(wanted.own["slowwave-keeps"])), wanted.own)) {
    return "the properties did not come back as written";
  }
  if (after.region.kind !== "one" || after.region.text !== wanted.region) {
    return "the text between the marks did not come back as written";
  }
  const isOurs = (key: string): boolean =>
    key === SEAL_KEY ||
    Object.hasOwn(wanted.own, key) ||
    SHARED_KEYS.some((shared) => shared === key);
  const foreign = (note: ReadNote): unknown =>
    Object.entries(note.data).filter(([key]) => !isOurs(key));
  return isSame(foreign(after), foreign(before)) ? undefined : "other properties would change";
}

function pickOwn(note: ReadNote, keeps: readonly string[]): Readonly<Record<string, unknown>> {
  const keys = OWN_KEYS.filter((key) => Object.hasOwn(note.data, key) && !keeps.includes(key));
  return Object.fromEntries(keys.map((key) => [key, note.data[key]]));
}

function stringList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function isSame(a: unknown, b: unknown): boolean {
  return canonicalJson(a) === canonicalJson(b);
}
