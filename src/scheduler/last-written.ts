import type { MemoryStore } from "../ports/memory-store.ts";

/** The text that a run wrote last at a note's path, as long as the journal still has it. */
export type LastWritten = (path: string) => Promise<string | undefined>;

/** Reads the journal once, and only when first asked: most runs find no note that was changed on both sides. */
export function lastWrittenNotes(store: Pick<MemoryStore, "read">): LastWritten {
  let texts: Promise<ReadonlyMap<string, string>> | undefined;
  return async (path) => {
    texts ??= readTexts(store);
    return (await texts).get(path);
  };
}

async function readTexts(store: Pick<MemoryStore, "read">): Promise<ReadonlyMap<string, string>> {
  const entries = await store.read("journal", { state: ["applied"] });
  const texts = new Map<string, string>();
  for (const entry of entries.toSorted((a, b) => a.at - b.at || a.batch - b.batch)) {
    for (const change of entry.changes) {
      if (change.kind !== "note.put") continue;
      if (change.after === null) texts.delete(change.path);
      else texts.set(change.path, change.after.text);
    }
  }
  return texts;
}
