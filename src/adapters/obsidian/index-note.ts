import { DEFAULT_NAMESPACE } from "../../model/memory.ts";
import { OWN_FOLDERS } from "../../model/note-folder.ts";
import type { ComposedNote, IndexContent, IndexSubject } from "../../ports/note-vault.ts";
import { composeProjection } from "./compose-note.ts";
import { logLines } from "./log-lines.ts";
import { renderLink } from "./note-body.ts";
import { noteFileName } from "./note-name.ts";
import type { NoteProjection } from "./note-projection.ts";
import { INDEX_KINDS, readNote } from "./read-note.ts";
import { withinBudget } from "./within-budget.ts";

/**
 * `Memories/Topics/<tag>.md`, a nested tag in folders, and `Memories/Log/<month>.md`; each namespace but the default one has folders of
 * its own.
 */
export function indexPathFor(subject: IndexSubject): string {
  const id = indexId(subject);
  const base = subject.kind === "topic" ? OWN_FOLDERS.topics : OWN_FOLDERS.log;
  const { namespace } = subject;
  const folder =
    namespace === DEFAULT_NAMESPACE
      ? base
      : `Memories/${noteFileName(`${base.slice("Memories/".length)} of ${namespace}`, id)}`;
  const names = keyOf(subject).split("/");
  return `${folder}/${names.map((name) => noteFileName(name, id)).join("/")}.md`;
}

/** By how the folders of all namespaces begin. */
export function isIndexPath(path: string): boolean {
  const folders = [OWN_FOLDERS.topics, OWN_FOLDERS.log];
  return folders.some((folder) => path.startsWith(folder)) && path.endsWith(".md");
}

export function composeIndex(content: IndexContent, existing: string | undefined): ComposedNote {
  return composeProjection(
    content.kind === "topic" ? topicProjection(content) : logProjection(content),
    existing,
  );
}

function topicProjection(content: Extract<IndexContent, { kind: "topic" }>): NoteProjection {
  const { tag, entries } = content;
  const { lines, leftOut } = withinBudget(entries.map((entry) => `- ${renderLink(entry)}`));
  const counted = `${lines.length} of ${entries.length}`;
  return project(content, {
    title: tag,
    tags: [tag],
    lines: lines.length > 0 ? lines : ["No note has this tag any more."],
    leftOut,
    about: `The notes from memory with the tag ${tag}, newest first: ${counted}`,
  });
}

function logProjection(content: Extract<IndexContent, { kind: "log" }>): NoteProjection {
  const { lines, leftOut } = withinBudget(logLines(content.events));
  return project(content, {
    title: `Log ${content.month}`,
    tags: [],
    lines: lines.length > 0 ? lines : ["Nothing that happened in this month still holds."],
    leftOut,
    about: "What became of memories, the newest first, in UTC",
  });
}

function project(
  subject: IndexSubject,
  note: {
    readonly title: string;
    readonly tags: readonly string[];
    readonly lines: readonly string[];
    readonly leftOut: number;
    readonly about: string;
  },
): NoteProjection {
  const rest = note.leftOut > 0 ? [`- … and ${note.leftOut} older ones`] : [];
  return {
    own: { title: note.title, id: indexId(subject), kind: subject.kind },
    shared: { aliases: [], tags: note.tags },
    body: {
      content: [...note.lines, ...rest].join("\n"),
      tail: `> [!info]- Where this comes from\n> ${note.about}`,
    },
  };
}

export function indexIn(text: string): IndexSubject | undefined {
  const note = readNote(text);
  if (typeof note === "string") return undefined;
  const { id } = note.data;
  const kind = INDEX_KINDS.find((one) => one === note.data.kind);
  if (kind === undefined || typeof id !== "string" || !id.startsWith(`${kind}:`)) return undefined;
  // Tags and months hold no colon; a namespace may.
  const end = id.lastIndexOf(":");
  const namespace = id.slice(kind.length + 1, end);
  const key = id.slice(end + 1);
  const subject: IndexSubject =
    kind === "topic" ? { kind, namespace, tag: key } : { kind, namespace, month: key };
  return indexId(subject) === id && key !== "" ? subject : undefined;
}

function indexId(subject: IndexSubject): string {
  return `${subject.kind}:${subject.namespace}:${keyOf(subject)}`;
}

function keyOf(subject: IndexSubject): string {
  return subject.kind === "topic" ? subject.tag : subject.month;
}
