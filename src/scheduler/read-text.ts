import { SlowwaveError } from "../model/errors.ts";
import type { NoteVault } from "../ports/note-vault.ts";

/** `text: undefined`: there is no note. `problem`: there is something that cannot be read as one: no text, forbidden, a folder, behind a symlink. */
export type TextReading =
  | { readonly text: string | undefined; readonly problem?: never }
  | { readonly problem: string; readonly text?: never };

/** One file that cannot be read must not stop a run. */
export async function readText(vault: NoteVault, path: string): Promise<TextReading> {
  try {
    return { text: await vault.read(path) };
  } catch (error) {
    if (error instanceof SlowwaveError) return { problem: error.message };
    throw error;
  }
}
