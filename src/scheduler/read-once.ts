import type { NoteVault } from "../ports/note-vault.ts";

/**
 * A vault for planning: each note is read once, so that all of a plan speaks of the same text, and a thousand notes are not read three
 * times over. What is written meanwhile is found when the plan is applied.
 */
export function readOnce(vault: NoteVault): NoteVault {
  const texts = new Map<string, Promise<string | undefined>>();
  return {
    ...vault,
    read: (path) => {
      const known = texts.get(path) ?? vault.read(path);
      texts.set(path, known);
      return known;
    },
  };
}
