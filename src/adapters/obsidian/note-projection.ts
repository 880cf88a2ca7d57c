import { hashOf, hashText } from "../../model/hash.ts";
import { toIso } from "../../model/instant.ts";
import type { NoteSubject } from "../../ports/note-vault.ts";
import { renderBody, roundScore } from "./note-body.ts";
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
  "why",
  "score",
  "sources",
  "slowwave-keeps",
] as const;
/** Lists that a person adds to: ours are put in, theirs stay. */
export const SHARED_KEYS = ["aliases", "tags"] as const;
export const SEAL_KEY = "slowwave-hash";

/** What a memory's note is to say. */
export interface NoteProjection {
  readonly own: Properties;
  readonly shared: Readonly<Record<(typeof SHARED_KEYS)[number], readonly string[]>>;
  /** The text between our marks. */
  readonly region: string;
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
      why: oneLine(subject.why),
      score: roundScore(subject.score),
      sources: subject.sources.map((source) => wellFormed(source.id)),
    },
    shared: { aliases: [title], tags: obsidianTags(memory.tags) },
    region: renderBody(subject),
  };
}

/** The three hashes of a `slowwave-hash`: what we wrote last into our properties, the shared lists, and our region. */
export interface Seal {
  readonly own: string;
  readonly shared: string;
  readonly region: string;
}

export function sealOf({ own, shared, region }: NoteProjection): Seal {
  return {
    own: hashOf(own, 12),
    shared: hashOf(shared, 12),
    region: hashText(region).slice(0, 12),
  };
}

export function renderSeal({ own, shared, region }: Seal): string {
  return `${own}-${shared}-${region}`;
}

export function readSeal(value: unknown): Seal | undefined {
  const match = /^([0-9a-f]{12})-([0-9a-f]{12})-([0-9a-f]{12})$/.exec(String(value));
  const [, own, shared, region] = match ?? [];
  return own && shared && region ? { own, shared, region } : undefined;
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
