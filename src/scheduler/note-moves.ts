import type { Change } from "../model/change.ts";
import { memoryKey, reviseMemory } from "../model/memory.ts";
import type { NoteVault, VaultFormat } from "../ports/note-vault.ts";
import type { View } from "../ports/view.ts";
import { readIfText } from "./find-notes.ts";
import { composeFor, type Noted, notedMemories } from "./note-subjects.ts";
import type { VaultSync } from "./vault-sync.ts";

export interface Move {
  readonly before: Noted;
  readonly after: Noted;
  readonly action: "archive_note" | "restore_note" | "move_note";
  readonly reason: string;
}

interface MoveInput {
  readonly view: View;
  readonly vault: NoteVault;
  readonly format: VaultFormat;
  /** Every path of the vault, as it is before the run. */
  readonly paths: ReadonlySet<string>;
  readonly sync: Pick<VaultSync, "taken" | "left">;
  /** Makes changes visible in the view. */
  fold(changes: readonly Change[]): void;
}

/**
 * Notes that no longer stand where they belong: by their memory's status, or since the layout gives them another folder than it did. One
 * whose part that is ours a person has changed stays where it is, and so does one that a person put elsewhere.
 */
export async function planMoves(input: MoveInput): Promise<ReadonlyMap<string, Move>> {
  const moves = new Map<string, Move>();
  const memories = notedMemories(input.view);
  const taken = new Set([...input.paths, ...memories.map((memory) => memory.vaultPath)]);
  for (const before of memories) {
    const why = await whyMove(before, input);
    if (why === undefined) continue;
    const vaultPath = input.format.placeFor(before, taken);
    taken.add(vaultPath);
    const isArchived = before.status === "archived";
    const folder = isArchived ? {} : { vaultFolder: folderOf(vaultPath) };
    const after = { ...reviseMemory(before, { vaultPath, ...folder }), vaultPath };
    input.fold([{ kind: "memory.put", before, after }]);
    moves.set(memoryKey(before), { before, after, ...why });
  }
  return moves;
}

async function whyMove(
  memory: Noted,
  input: MoveInput,
): Promise<Pick<Move, "action" | "reason"> | undefined> {
  const { vault, format, sync } = input;
  if (sync.left.has(memoryKey(memory))) return undefined;
  const text = await readIfText(vault, memory.vaultPath);
  const identity = text === undefined ? undefined : format.identify(text);
  if (identity?.id !== memory.id) return undefined;
  const why = reasonFor(memory, identity.retired, format);
  return why !== undefined && composeFor(memory, text, input).kind === "text" ? why : undefined;
}

function reasonFor(
  memory: Noted,
  isRetired: boolean,
  format: VaultFormat,
): Pick<Move, "action" | "reason"> | undefined {
  if (memory.status === "archived") {
    const reason = `its memory is archived (${memory.archivedReason ?? "archived"})`;
    return isRetired ? undefined : { action: "archive_note", reason };
  }
  if (isRetired) return { action: "restore_note", reason: "its memory lives again" };
  const isWherePut = folderOf(memory.vaultPath) === memory.vaultFolder;
  if (!isWherePut || format.folderFor(memory) === memory.vaultFolder) return undefined;
  return { action: "move_note", reason: "the layout gives it another folder" };
}

function folderOf(path: string): string {
  return path.split("/").slice(0, -1).join("/");
}
