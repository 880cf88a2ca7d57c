import type { NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import { planIndexNotes } from "./index-notes.ts";
import { notedMemories, subjectOf } from "./note-subjects.ts";

export interface RebuiltVault {
  readonly written: readonly string[];
  /** Notes for which another stands at the path already. */
  readonly left: readonly { readonly path: string; readonly reason: string }[];
}

/** Writes the notes of all memories anew, as if nobody had ever touched them, into another, empty vault. */
export async function rebuildVault(input: {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: VaultFormat;
}): Promise<RebuiltVault> {
  const written: string[] = [];
  const left: { path: string; reason: string }[] = [];
  for (const memory of notedMemories(input.view)) {
    const path = memory.vaultPath;
    const composed = input.format.compose(subjectOf(memory, input), await input.vault.read(path));
    if (composed.kind === "edited") {
      left.push({ path, reason: composed.reason });
      continue;
    }
    await input.vault.write(path, composed.text);
    written.push(path);
  }
  const indexes = await planIndexNotes({
    ...input,
    paths: [],
    isThere: () => true,
    lastWritten: async () => undefined,
  });
  for (const { put } of indexes) {
    await input.vault.write(put.path, put.after?.text ?? "");
    written.push(put.path);
  }
  return { written, left };
}
