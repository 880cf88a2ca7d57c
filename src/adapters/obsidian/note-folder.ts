import { toIso } from "../../model/instant.ts";
import type { Memory, MemoryKind } from "../../model/memory.ts";
import { type FolderToken, fillFolderTemplate } from "../../model/note-folder.ts";
import { noteFileName } from "./note-name.ts";
import { topicsOf } from "./topics.ts";

const KIND_NAMES: Readonly<Record<MemoryKind, string>> = {
  semantic: "Semantic",
  procedural: "Procedural",
  episodic: "Episodic",
};

const NO_TOPIC = "Untagged";

/** The folder that the template gives a memory's note. A nested tag makes nested folders; a memory's first tag is its topic. */
export function folderFor(memory: Memory, template: string): string {
  const value = (token: FolderToken): string => tokenValue(token, memory);
  return fillFolderTemplate(template, value)
    .flatMap((segment) => segment.split("/"))
    .map((segment) => noteFileName(segment, memory.namespace))
    .join("/");
}

function tokenValue(token: FolderToken, memory: Memory): string {
  switch (token) {
    case "kind":
      return KIND_NAMES[memory.kind];
    case "topic":
      return topicsOf(memory)[0]?.tag ?? NO_TOPIC;
    case "namespace":
      // A slash in a namespace is no folder: `a/b` and `a` are strangers.
      return noteFileName(memory.namespace, memory.namespace);
    case "year":
      return toIso(memory.createdAt).slice(0, 4);
    case "month":
      return toIso(memory.createdAt).slice(0, 7);
  }
}
