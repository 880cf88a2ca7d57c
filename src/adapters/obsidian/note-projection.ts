import { hashOf, hashText } from "../../model/hash.ts";
import { toIso } from "../../model/instant.ts";
import type { NoteSubject } from "../../ports/note-vault.ts";
import { type NoteBody, renderBody, roundScore } from "./note-body.ts";
import { obsidianTags } from "./note-tags.ts";
import { noteTitle } from "./note-title.ts";
import type { PropertyValue } from "./property-text.ts";

export type Properties = Readonly<Record<string, PropertyValue>>;

/** Properties that only we write. A note that had one of its own before we came keeps it; `slowwave-keeps` then names it. */
export const OWN_KEYS = [
  "title",
  "id",
  "kind",
  "entities",
  "created",
  "promoted",
  "archived",
  "why",
  "score",
  "sources",
  "pinned",
  "slowwave-keeps",
] as const;
/** Lists that a person adds to: ours are put in, theirs stay. */
export const SHARED_KEYS = ["aliases", "tags"] as const;
export const SEAL_KEY = "slowwave-hash";

export type SharedLists = Readonly<Record<(typeof SHARED_KEYS)[number], readonly string[]>>;

/** What a memory's note is to say. */
export interface NoteProjection {
  readonly own: Properties;
  readonly shared: SharedLists;
  /** The text between our marks. */
  readonly body: NoteBody;
}

export function projectNote(subject: NoteSubject): NoteProjection {
  const { memory } = subject;
  const title = noteTitle(memory);
  return {
    own: {
      title,
      id: wellFormed(memory.id),
      kind: memory.kind,
      entities: memory.entities.map(oneLine),
      created: isoSeconds(memory.createdAt),
      promoted: memory.promotedAt === undefined ? null : isoSeconds(memory.promotedAt),
      ...archived(subject),
      why: oneLine(subject.why),
      score: roundScore(subject.score),
      sources: subject.sources.map((source) => wellFormed(source.id)),
      pinned: memory.pinned,
    },
    shared: {
      aliases: [...new Set([title, ...aliasesOf(memory.extra.aliases)])],
      tags: obsidianTags(memory.tags),
    },
    body: renderBody(subject),
  };
}

function archived({ memory }: NoteSubject): Properties {
  if (memory.status !== "archived") return {};
  return { archived: memory.archivedAt === undefined ? null : isoSeconds(memory.archivedAt) };
}

/** The other names that a person gave the note, as the memory keeps them. */
export function aliasesOf(extra: unknown): readonly string[] {
  if (!Array.isArray(extra)) return [];
  return extra.filter((alias) => typeof alias === "string").map(oneLine);
}

/** The five hashes of a `slowwave-hash`: what we wrote last, part by part, so that an edit is known for what it is. */
export interface Seal {
  /** Our properties. */
  readonly own: string;
  /** Our share of aliases and tags. */
  readonly shared: string;
  /** Aliases and tags as they stood in the note, with a person's. */
  readonly lists: string;
  readonly content: string;
  readonly tail: string;
}

export function sealOf({ own, shared, body }: NoteProjection, lists: unknown): Seal {
  return {
    own: hashOf(own, 12),
    shared: hashOf(shared, 12),
    lists: hashOf(lists, 12),
    content: contentHash(body.content),
    tail: tailHash(body.tail),
  };
}

export function contentHash(content: string): string {
  return hashText(content).slice(0, 12);
}

/** Where a link leads is left out: Obsidian rewrites links when a note is renamed, and that is nobody's edit. */
export function tailHash(tail: string): string {
  const plain = tail
    .replace(/\[\[[^\]|\n]*(\||\]\])/g, "[[$1")
    .replace(/\]\((?:<[^>\n]*>|[^)\s]*)\)/g, "]()");
  return hashText(plain).slice(0, 12);
}

export function renderSeal({ own, shared, lists, content, tail }: Seal): string {
  return [own, shared, lists, content, tail].join("-");
}

export function readSeal(value: unknown): Seal | undefined {
  const parts = String(value).split("-");
  const [own, shared, lists, content, tail] = parts;
  const isWhole = parts.length === 5 && parts.every((part) => /^[0-9a-f]{12}$/.test(part));
  if (!isWhole || !own || !shared || !lists || !content || !tail) return undefined;
  return { own, shared, lists, content, tail };
}

function isoSeconds(instant: number): string {
  return toIso(instant).replace(".000Z", "Z");
}

function oneLine(text: string): string {
  return wellFormed(text)
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
}

/** Half a surrogate pair has no UTF-8: it would come back from the disk as something else. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, "\ufffd");
}
