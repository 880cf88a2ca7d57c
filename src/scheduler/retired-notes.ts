import type { NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import { readIfText } from "./find-notes.ts";
import { notedMemories } from "./note-subjects.ts";

export interface RetiredNote {
  readonly path: string;
  readonly text: string;
}

/** Archived notes that no memory names as its own, by the id in them; an id that two of them have names neither. */
export async function findRetired(input: {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: VaultFormat;
  /** Every path of the vault. */
  readonly paths: ReadonlySet<string>;
}): Promise<ReadonlyMap<string, RetiredNote>> {
  const { view, vault, format, paths } = input;
  const owned = new Set(notedMemories(view).map((memory) => memory.vaultPath));
  const notes = [...paths].filter(
    (path) => format.isArchivePath(path) && /\.md$/i.test(path) && !owned.has(path),
  );
  const found = new Map<string, RetiredNote>();
  const twice = new Set<string>();
  for (const path of notes) {
    const text = await readIfText(vault, path);
    const identity = text === undefined ? undefined : format.identify(text);
    if (text === undefined || identity?.retired !== true) continue;
    if (found.has(identity.id)) twice.add(identity.id);
    found.set(identity.id, { path, text });
  }
  return new Map([...found].filter(([id]) => !twice.has(id)));
}
