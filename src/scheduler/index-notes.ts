import { memoryKey } from "../model/memory.ts";
import { RELATION_TYPES } from "../model/relation.ts";
import type { IndexContent, IndexSubject, NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import type { NotePut } from "./changes.ts";
import { readIfText } from "./find-notes.ts";
import type { LastWritten } from "./last-written.ts";
import { logMonths } from "./log-months.ts";
import { type Noted, notedMemories } from "./note-subjects.ts";
import type { DecidedProposal } from "./plan.ts";
import { readText } from "./read-text.ts";
import { VAULT_AGENT } from "./vault-findings.ts";

/** So many notes make a topic worth a note of its own. */
const MIN_ENTRIES = 3;

export interface IndexInput {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: VaultFormat;
  /** Every path of the vault. */
  readonly paths: Iterable<string>;
  /** Whether a note is, or will be, in the vault. */
  readonly isThere: (path: string) => boolean;
  readonly lastWritten: LastWritten;
}

export interface IndexPut {
  readonly subject: IndexSubject;
  readonly put: NotePut;
}

interface Wanted {
  readonly content: IndexContent;
  /** False: it is only kept true where it is there already. */
  readonly isWorthANote: boolean;
}

/**
 * The notes that lead to others and are to be written: a list of links for each tag that several notes have, and for each month what
 * became of memories. Both follow from the view alone. One that a person deleted, changed or put something else in the place of is left
 * alone.
 */
export async function planIndexNotes(input: IndexInput): Promise<readonly IndexPut[]> {
  const wanted = new Map<string, Wanted>();
  for (const one of [...topics(input), ...logs(input)]) {
    const path = input.format.indexPathFor(one.content);
    if (path !== undefined) wanted.set(path, one);
  }
  for (const [path, one] of await emptied(wanted, input)) wanted.set(path, one);
  const puts: IndexPut[] = [];
  for (const [path, one] of wanted) {
    const put = await planIndex(path, one, input);
    if (put !== undefined) puts.push({ subject: one.content, put });
  }
  return puts;
}

function topics({ view, format }: IndexInput): readonly Wanted[] {
  const groups = new Map<string, { readonly topic: IndexSubject; readonly members: Noted[] }>();
  for (const memory of notedMemories(view)) {
    if (memory.status !== "promoted") continue;
    for (const topic of format.topicsOf(memory)) {
      const key = JSON.stringify(topic);
      const group = groups.get(key) ?? { topic, members: [] };
      group.members.push(memory);
      groups.set(key, group);
    }
  }
  return [...groups.values()].flatMap(({ topic, members }) =>
    topic.kind === "topic" ? [topicOf(topic, members, format)] : [],
  );
}

function topicOf(
  topic: Extract<IndexSubject, { kind: "topic" }>,
  members: readonly Noted[],
  format: VaultFormat,
): Wanted {
  const sorted = members.toSorted(
    (a, b) => (b.promotedAt ?? 0) - (a.promotedAt ?? 0) || (memoryKey(a) < memoryKey(b) ? -1 : 1),
  );
  const entries = sorted.map((memory) => ({
    path: memory.vaultPath,
    title: format.titleOf(memory),
    relationType: RELATION_TYPES.related,
  }));
  return { content: { ...topic, entries }, isWorthANote: members.length >= MIN_ENTRIES };
}

function logs(input: IndexInput): readonly Wanted[] {
  return logMonths(input).map((content) => ({ content, isWorthANote: true }));
}

/** Notes of topics whose last memory is gone or lost the tag, and of months of which nothing holds any more. */
async function emptied(
  wanted: ReadonlyMap<string, Wanted>,
  { vault, format, paths }: IndexInput,
): Promise<ReadonlyMap<string, Wanted>> {
  const found = new Map<string, Wanted>();
  for (const path of paths) {
    if (!format.isIndexPath(path) || wanted.has(path)) continue;
    const subject = format.indexIn((await readIfText(vault, path)) ?? "");
    if (subject === undefined || format.indexPathFor(subject) !== path) continue;
    const content: IndexContent =
      subject.kind === "topic" ? { ...subject, entries: [] } : { ...subject, events: [] };
    found.set(path, { content, isWorthANote: false });
  }
  return found;
}

async function planIndex(
  path: string,
  wanted: Wanted,
  input: IndexInput,
): Promise<NotePut | undefined> {
  const { format } = input;
  const { content } = wanted;
  const { text: existing, problem } = await readText(input.vault, path);
  if (problem !== undefined) return undefined;
  const isOurs =
    existing === undefined
      ? await mayMake(path, wanted, input)
      : isIndexOf(content, existing, format);
  if (!isOurs) return undefined;
  const composed = format.composeIndex(content, existing);
  if (composed.kind === "edited" || composed.text === existing) return undefined;
  const before = existing === undefined ? null : { text: existing };
  return { kind: "note.put", path, before, after: { text: composed.text } };
}

/** Written before and gone: a person does not want it. */
async function mayMake(
  path: string,
  { isWorthANote }: Wanted,
  { lastWritten }: IndexInput,
): Promise<boolean> {
  return isWorthANote && (await lastWritten(path)) === undefined;
}

function isIndexOf(subject: IndexSubject, text: string, format: VaultFormat): boolean {
  const found = format.indexIn(text);
  return found !== undefined && nameOf(found) === nameOf(subject);
}

function nameOf(subject: IndexSubject): string {
  const key = subject.kind === "topic" ? subject.tag : subject.month;
  return `${subject.kind}:${subject.namespace}:${key}`;
}

export function indexStep({ subject, put }: IndexPut): DecidedProposal {
  const changes = [put];
  return {
    proposal: {
      id: `${VAULT_AGENT}:${nameOf(subject)}`,
      agent: VAULT_AGENT,
      namespace: subject.namespace,
      action: `${put.before === null ? "write" : "update"}_${subject.kind}`,
      results: [],
      confidence: 1,
      reason:
        subject.kind === "topic"
          ? "the notes with this tag changed"
          : "something became of memories in this month",
      dependsOn: [],
      changes,
      finding: { title: put.path, urgency: "low", members: [], scores: {} },
    },
    fate: "apply",
    changes,
  };
}
