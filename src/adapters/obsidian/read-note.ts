import type { NoteIdentity } from "../../ports/note-vault.ts";
import { type RegionReading, readRegion } from "./marked-region.ts";
import type { NoteBody } from "./note-body.ts";
import { type NoteParts, splitNote } from "./note-parts.ts";
import {
  contentHash,
  OWN_KEYS,
  readSeal,
  SEAL_KEY,
  type Seal,
  SHARED_KEYS,
  tailHash,
} from "./note-projection.ts";
import { type PropertySpan, readProperties } from "./read-properties.ts";

/** A note that stands on disk, read. */
export interface ReadNote {
  readonly parts: NoteParts;
  readonly data: Readonly<Record<string, unknown>>;
  readonly spans: ReadonlyMap<string, PropertySpan>;
  readonly region: RegionReading;
}

/**
 * Notes read last, by their text: in one run a note is looked at to find a person's edits, to see where it belongs, and to be written
 * anew, and parsing is most of what each costs. Readings are never changed.
 */
const READINGS = new Map<string, ReadNote | string>();
/** Of all texts kept, in UTF-16 units. */
const KEPT_CHARACTERS = 16_000_000;
let keptCharacters = 0;

/** The note, or, with its line, why it cannot be read. */
export function readNote(text: string): ReadNote | string {
  const known = READINGS.get(text);
  if (known !== undefined) return known;
  const reading = parseNote(text);
  READINGS.set(text, reading);
  keptCharacters += text.length;
  for (const [oldest] of READINGS) {
    if (keptCharacters <= KEPT_CHARACTERS) break;
    READINGS.delete(oldest);
    keptCharacters -= oldest.length;
  }
  return reading;
}

function parseNote(text: string): ReadNote | string {
  const parts = splitNote(text);
  if (parts === undefined) return "line 1: the properties start here and never end";
  const properties = readProperties(text, parts);
  if (!properties.ok) return properties.reason;
  const region = readRegion(parts.body);
  if (region.kind === "broken") return region.reason;
  return { parts, data: properties.data, spans: properties.spans, region };
}

/** A note that we wrote, with its parts as they are now. */
export interface OwnNote {
  readonly seal: Seal;
  readonly keeps: readonly string[];
  readonly own: Readonly<Record<string, unknown>>;
  readonly lists: Readonly<Record<string, unknown>>;
  /** `undefined` where what follows the content is not as we left it, so that nobody can tell where the content ends. */
  readonly body: NoteBody | undefined;
}

export type OwnReading =
  | { readonly kind: "own"; readonly note: OwnNote }
  /** No trace of us. */
  | { readonly kind: "foreign" }
  | { readonly kind: "broken"; readonly reason: string };

export function readOwn(note: ReadNote): OwnReading {
  const { data, region } = note;
  const seal = readSeal(data[SEAL_KEY]);
  if (seal === undefined && region.kind === "none") return { kind: "foreign" };
  if (seal === undefined) return broken(`its ${SEAL_KEY} property is gone or was changed`);
  if (region.kind !== "one") return broken("the slowwave marks in its text are gone");
  const keeps = stringList(data["slowwave-keeps"]);
  return {
    kind: "own",
    note: {
      seal,
      keeps,
      own: pickOwn(data, keeps),
      lists: listsOf(data),
      body: splitBody(region.text, seal),
    },
  };
}

/** The `kind` of notes that are no memory's. */
export const INDEX_KINDS = ["topic", "log"] as const;

export function isIndex({ data }: ReadNote): boolean {
  return INDEX_KINDS.some((kind) => kind === data.kind);
}

/** Whose note this text is, also where its marks or our hash were damaged; its id is the last thing that a person changes. */
export function identifyNote(text: string): NoteIdentity | undefined {
  const note = readNote(text);
  if (typeof note === "string") return undefined;
  const { id } = note.data;
  const isOurs = Object.hasOwn(note.data, SEAL_KEY) || note.region.kind === "one";
  if (typeof id !== "string" || !isOurs || isIndex(note)) return undefined;
  return { id, retired: Object.hasOwn(note.data, "archived") };
}

function broken(reason: string): OwnReading {
  return { kind: "broken", reason };
}

export function pickOwn(
  data: ReadNote["data"],
  keeps: readonly string[],
): Readonly<Record<string, unknown>> {
  const keys = OWN_KEYS.filter((key) => Object.hasOwn(data, key) && !keeps.includes(key));
  return Object.fromEntries(keys.map((key) => [key, data[key]]));
}

export function listsOf(data: ReadNote["data"]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(SHARED_KEYS.map((key) => [key, data[key]]));
}

export function stringList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

const TAIL_STARTS = /^(?:## Also said$|## Related$|> \[!info\]- Where this comes from$)/gm;

/** Where the content ends is where what follows is the tail that we wrote. */
function splitBody(region: string, seal: Seal): NoteBody | undefined {
  for (const { index } of region.matchAll(TAIL_STARTS)) {
    const tail = region.slice(index).trimEnd();
    if (tailHash(tail) === seal.tail) return { content: trimContent(region.slice(0, index)), tail };
  }
  return undefined;
}

/** Empty lines around a content say nothing; an indentation of its first line does. */
function trimContent(text: string): string {
  return text.trimEnd().replace(/^(?:[ \t]*\n)+/, "");
}

export function isContentSealed(note: OwnNote): boolean {
  return note.body !== undefined && contentHash(note.body.content) === note.seal.content;
}
