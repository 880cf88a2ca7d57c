import type { Memory } from "../../model/memory.ts";
import type { VaultFormat } from "../../ports/note-vault.ts";
import type { View } from "../../ports/view.ts";
import type { NotePut, PutChange } from "../changes.ts";
import { subjectOf } from "../note-subjects.ts";

export interface Retirement {
  readonly format: VaultFormat;
  readonly now: number;
  /** By the path of its note, each memory that had none before the run. */
  readonly promoted: ReadonlyMap<string, Memory>;
  /** Asked only where a note retires. */
  readonly view: () => Promise<View>;
  /** Paths of the vault, and those that notes of this undo take already. */
  readonly taken: () => Promise<Set<string>>;
}

/**
 * The archived note of a memory whose promotion is taken back: nothing that people may have linked or written into is deleted. A promotion
 * later on brings it back. `undefined`: the text is no note of such a memory, or a person changed what is ours.
 */
export async function retireNote(
  { path, text }: { readonly path: string; readonly text: string },
  retirement: Retirement,
): Promise<NotePut | undefined> {
  const { format, now } = retirement;
  const memory = retirement.promoted.get(path);
  if (memory === undefined || format.identify(text)?.id !== memory.id) return undefined;
  const undone: Memory = {
    ...memory,
    status: "archived",
    archivedAt: now,
    archivedReason: "undone",
  };
  const subject = subjectOf(undone, { view: await retirement.view(), format });
  const composed = format.compose(subject, text);
  if (composed.kind === "edited") return undefined;
  const taken = await retirement.taken();
  const archived = format.placeFor(undone, taken);
  taken.add(archived);
  return { kind: "note.put", path: archived, before: null, after: { text: composed.text } };
}

/**
 * By path, the memories that a run gave a note, as it left them. From what the run did, not from what is left to undo: an undo that died
 * half way is taken up again.
 */
export function newlyNoted(puts: readonly PutChange[]): ReadonlyMap<string, Memory> {
  const found = new Map<string, Memory>();
  for (const { kind, before, after } of puts) {
    if (kind !== "memory.put" || before?.vaultPath !== undefined) continue;
    if (after?.vaultPath !== undefined) found.set(after.vaultPath, after);
  }
  return found;
}
