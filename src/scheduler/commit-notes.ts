import { SlowwaveError } from "../model/errors.ts";
import { hashText } from "../model/hash.ts";
import type { OutboxItem } from "../model/run.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { NoteVault } from "../ports/note-vault.ts";
import type { VersionControl } from "../ports/version-control.ts";
import type { RunDeps } from "./run-deps.ts";

/**
 * Step 4 of the commit protocol: one git commit for the notes of a run, by path. Also what recovery calls for a run that was killed
 * before it. Returns what a person should know; a commit that cannot be made now stays in the outbox for the next run.
 */
export async function commitNotes(item: OutboxItem, deps: RunDeps): Promise<readonly string[]> {
  const { vault, versionControl } = deps;
  if (vault === undefined || versionControl === undefined) return [];
  try {
    const outcome = await commitPaths(item, { vault, versionControl, store: deps.store });
    if (outcome.isDone) await closeOutbox(item, deps);
    return outcome.notes;
  } catch (error) {
    // The notes and the store are safe; only the commit is owed.
    if (!(error instanceof SlowwaveError)) throw error;
    return [`git: the notes of ${item.runId} are written and not committed: ${error.message}`];
  }
}

async function commitPaths(
  item: OutboxItem,
  {
    vault,
    versionControl,
    store,
  }: Pick<RunDeps, "store"> & {
    readonly vault: NoteVault;
    readonly versionControl: VersionControl;
  },
): Promise<{ readonly isDone: boolean; readonly notes: readonly string[] }> {
  const state = await versionControl.state();
  if (state.kind === "none") return { isDone: true, notes: [] };
  if (state.kind === "occupied") {
    return { isDone: false, notes: [`git: the commit for ${item.runId} waits: ${state.reason}`] };
  }
  if (await versionControl.hasRun(item.runId)) return { isDone: true, notes: [] };
  const { ours, edited } = await sortPaths(item, vault);
  const notes = edited.map(
    (path) => `git: ${path} was edited after it was written, so it is left for you to commit`,
  );
  if (ours.length === 0) return { isDone: true, notes };
  const message = await messageFor(item.runId, ours.length, store);
  const result = await versionControl.commit({ paths: ours, message, runId: item.runId });
  const ignored = result.ignored.map(
    (path) => `git: ${path} is ignored by the repository and not committed`,
  );
  return { isDone: true, notes: [...notes, ...ignored] };
}

async function messageFor(runId: string, count: number, store: MemoryStore): Promise<string> {
  const notes = `${count} ${count === 1 ? "note" : "notes"}`;
  const run = (await store.read("run")).find(({ id }) => id === runId);
  return run?.undoes === undefined
    ? `Update ${notes} from memory`
    : `Undo run ${run.undoes}: take back ${notes}`;
}

/** A note that a person has edited since is theirs to commit. */
async function sortPaths(
  item: OutboxItem,
  vault: NoteVault,
): Promise<{ readonly ours: readonly string[]; readonly edited: readonly string[] }> {
  const ours: string[] = [];
  const edited: string[] = [];
  for (const { path, hash } of item.paths) {
    const text = await vault.read(path);
    const current = text === undefined ? null : hashText(text);
    (current === hash ? ours : edited).push(path);
  }
  return { ours, edited };
}

async function closeOutbox(item: OutboxItem, deps: RunDeps): Promise<void> {
  const after: OutboxItem = { ...item, state: "done", revision: item.revision + 1 };
  const result = await deps.store.commit([{ record: "outbox", before: item, after }]);
  if (!result.ok)
    throw new SlowwaveError(
      "store_conflict",
      `outbox item ${item.id} was changed by another process`,
    );
}
