import { memoryKey } from "../model/memory.ts";
import { RELATION_TYPES } from "../model/relation.ts";
import type { NoteVault, Topic, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import type { NotePut } from "./changes.ts";
import type { LastWritten } from "./last-written.ts";
import { type Noted, notedMemories } from "./note-subjects.ts";
import type { DecidedProposal } from "./plan.ts";
import { VAULT_AGENT } from "./vault-findings.ts";

/** So many notes make a topic worth a note of its own. */
const MIN_ENTRIES = 3;
/** A list beyond this is no map any more; the newest are shown, and the rest is counted. */
const MAX_ENTRIES = 200;

export interface TopicInput {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: VaultFormat;
  /** Every path of the vault. */
  readonly paths: Iterable<string>;
  readonly lastWritten: LastWritten;
}

export interface TopicPut {
  readonly topic: Topic;
  readonly put: NotePut;
}

/**
 * The notes of topics that are to be written: a list of links for each tag that several notes have. One that a person deleted, changed
 * or put something else in the place of is left alone.
 */
export async function planTopicNotes(input: TopicInput): Promise<readonly TopicPut[]> {
  const topics = new Map<string, { readonly topic: Topic; readonly members: Noted[] }>();
  for (const memory of notedMemories(input.view)) {
    if (memory.status !== "promoted") continue;
    for (const topic of input.format.topicsOf(memory)) {
      const path = input.format.topicPathFor(topic);
      const group = topics.get(path) ?? { topic, members: [] };
      group.members.push(memory);
      topics.set(path, group);
    }
  }
  for (const [path, topic] of await emptiedTopics(new Set(topics.keys()), input)) {
    topics.set(path, { topic, members: [] });
  }
  const puts: TopicPut[] = [];
  for (const [path, { topic, members }] of topics) {
    const put = await planTopic({ path, topic, members }, input);
    if (put !== undefined) puts.push({ topic, put });
  }
  return puts;
}

/** Topic notes whose last memory is gone or lost the tag. */
async function emptiedTopics(
  alive: ReadonlySet<string>,
  { vault, format, paths }: TopicInput,
): Promise<ReadonlyMap<string, Topic>> {
  const found = new Map<string, Topic>();
  for (const path of paths) {
    if (!TOPIC_PATH.test(path) || alive.has(path)) continue;
    const topic = format.topicIn((await vault.read(path)) ?? "");
    if (topic !== undefined && format.topicPathFor(topic) === path) found.set(path, topic);
  }
  return found;
}

const TOPIC_PATH = /^Memories\/Topics.*\.md$/;

async function planTopic(
  one: { readonly path: string; readonly topic: Topic; readonly members: readonly Noted[] },
  { vault, format, lastWritten }: TopicInput,
): Promise<NotePut | undefined> {
  const { path, topic, members } = one;
  const existing = await vault.read(path);
  if (existing === undefined) {
    if (members.length < MIN_ENTRIES) return undefined;
    // Written before and gone: a person does not want it.
    if ((await lastWritten(path)) !== undefined) return undefined;
  } else {
    const found = format.topicIn(existing);
    if (found?.tag !== topic.tag || found.namespace !== topic.namespace) return undefined;
  }
  const sorted = members.toSorted(
    (a, b) => (b.promotedAt ?? 0) - (a.promotedAt ?? 0) || (memoryKey(a) < memoryKey(b) ? -1 : 1),
  );
  const entries = sorted.slice(0, MAX_ENTRIES).map((memory) => ({
    path: memory.vaultPath,
    title: format.titleOf(memory),
    relationType: RELATION_TYPES.related,
  }));
  const leftOut = sorted.length - entries.length;
  const composed = format.composeTopic({ topic, entries, leftOut }, existing);
  if (composed.kind === "edited" || composed.text === existing) return undefined;
  const before = existing === undefined ? null : { text: existing };
  return { kind: "note.put", path, before, after: { text: composed.text } };
}

export function topicStep({ topic, put }: TopicPut): DecidedProposal {
  const changes = [put];
  return {
    proposal: {
      id: `${VAULT_AGENT}:topic:${topic.namespace}:${topic.tag}`,
      agent: VAULT_AGENT,
      namespace: topic.namespace,
      action: put.before === null ? "write_topic" : "update_topic",
      results: [],
      confidence: 1,
      reason: "the notes with this tag changed",
      dependsOn: [],
      changes,
      finding: { title: put.path, urgency: "low", members: [], scores: {} },
    },
    fate: "apply",
    changes,
  };
}
