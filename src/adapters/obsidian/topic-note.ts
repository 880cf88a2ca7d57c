import { DEFAULT_NAMESPACE, type Memory } from "../../model/memory.ts";
import type { ComposedNote, NoteLink, Topic } from "../../ports/note-vault.ts";
import { composeProjection } from "./compose-note.ts";
import { renderLink } from "./note-body.ts";
import { noteFileName } from "./note-name.ts";
import type { NoteProjection } from "./note-projection.ts";
import { obsidianTags } from "./note-tags.ts";
import { readNote, TOPIC_KIND } from "./read-note.ts";

/** Tags that differ in case only are one tag to Obsidian, and one topic here. */
export function topicsOf({ namespace, tags }: Memory): readonly Topic[] {
  const folded = obsidianTags(tags).map((tag) => tag.toLowerCase());
  return [...new Set(folded)].map((tag) => ({ namespace, tag }));
}

/** `Memories/Topics/<tag>.md`, a nested tag in folders; each namespace but the default one has a folder of its own. */
export function topicPathFor(topic: Topic): string {
  const { namespace, tag } = topic;
  const id = topicId(topic);
  const folder =
    namespace === DEFAULT_NAMESPACE ? "Topics" : noteFileName(`Topics of ${namespace}`, id);
  const segments = tag.split("/").map((segment) => noteFileName(segment, id));
  return `Memories/${folder}/${segments.join("/")}.md`;
}

export function composeTopic(
  subject: {
    readonly topic: Topic;
    readonly entries: readonly NoteLink[];
    readonly leftOut: number;
  },
  existing: string | undefined,
): ComposedNote {
  const { topic, entries, leftOut } = subject;
  const count = entries.length + leftOut;
  const projection: NoteProjection = {
    own: { title: topic.tag, id: topicId(topic), kind: TOPIC_KIND },
    shared: { aliases: [], tags: [topic.tag] },
    body: {
      content: [
        ...entries.map((entry) => `- ${renderLink(entry)}`),
        ...(leftOut > 0 ? [`- … and ${leftOut} older ones`] : []),
        ...(count === 0 ? ["No note has this tag any more."] : []),
      ].join("\n"),
      tail: `> [!info]- Where this comes from\n> The notes from memory with the tag ${topic.tag}, newest first: ${entries.length} of ${count}`,
    },
  };
  return composeProjection(projection, existing);
}

export function topicIn(text: string): Topic | undefined {
  const note = readNote(text);
  if (typeof note === "string" || note.data.kind !== TOPIC_KIND) return undefined;
  const { id } = note.data;
  if (typeof id !== "string" || !id.startsWith(PREFIX)) return undefined;
  // Tags hold no colon; a namespace may.
  const end = id.lastIndexOf(":");
  const topic = { namespace: id.slice(PREFIX.length, end), tag: id.slice(end + 1) };
  return topicId(topic) === id && topic.tag !== "" ? topic : undefined;
}

const PREFIX = "topic:";

function topicId({ namespace, tag }: Topic): string {
  return `${PREFIX}${namespace}:${tag}`;
}
