import { SlowwaveError } from "../model/errors.ts";
import type { NoteVault } from "../ports/note-vault.ts";
import type { NotePut } from "./changes.ts";

export interface NoteRefusal {
  readonly put: NotePut;
  readonly why: string;
}

/** Step 2 of the commit protocol: every note that still is as it was planned on is written; the rest are refused, each with its reason. */
export async function writeNotes(
  vault: NoteVault,
  puts: readonly NotePut[],
): Promise<readonly NoteRefusal[]> {
  const refusals: NoteRefusal[] = [];
  for (const put of puts) {
    // One after the other: a full or vanished disk should stop at the first note, not after hundreds of attempts at once.
    const why = await writeNote(vault, put);
    if (why !== undefined) refusals.push({ put, why });
  }
  return refusals;
}

async function writeNote(vault: NoteVault, put: NotePut): Promise<string | undefined> {
  try {
    const current = await vault.read(put.path);
    const after = put.after?.text;
    if (current === after) return undefined;
    if (current !== put.before?.text) return `${put.path} was edited since the plan was made`;
    if (after === undefined) return await removeNote(vault, put);
    await vault.write(put.path, after);
    return undefined;
  } catch (error) {
    if (error instanceof SlowwaveError) return error.message;
    throw error;
  }
}

async function removeNote(vault: NoteVault, put: NotePut): Promise<string | undefined> {
  const isRemoved = await vault.removeIfUnchanged(put.path, put.before?.text ?? "");
  return isRemoved ? undefined : `${put.path} was edited since the plan was made`;
}

/** Takes notes back to their before-image where they still are as written; a person's edit stays. */
export async function restoreNotes(
  vault: NoteVault,
  puts: readonly NotePut[],
): Promise<readonly NoteRefusal[]> {
  return await writeNotes(
    vault,
    puts.map((put) => ({ ...put, before: put.after, after: put.before })),
  );
}
