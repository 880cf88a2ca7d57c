import type { Memory } from "../../model/memory.ts";
import type { Topic } from "../../ports/note-vault.ts";
import { obsidianTags } from "./note-tags.ts";

/** Tags that differ in case only are one tag to Obsidian, and one topic here. */
export function topicsOf({ namespace, tags }: Memory): readonly Topic[] {
  const folded = obsidianTags(tags).map((tag) => tag.toLowerCase());
  return [...new Set(folded)].map((tag) => ({ kind: "topic", namespace, tag }));
}
