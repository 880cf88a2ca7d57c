import { SlowwaveError } from "../model/errors.ts";
import { hashText } from "../model/hash.ts";
import type { OutboxItem } from "../model/run.ts";
import type { NoteVault } from "../ports/note-vault.ts";
import type { VersionControl } from "../ports/version-control.ts";
import { commitMessage } from "./commit-message.ts";
import type { RunDeps } from "./run-deps.ts";

/**
 * Step 4 of the commit protocol: one git commit a run for its notes, by path, and then one push where pushing is configured. Also what
 * recovery calls for runs that were killed before it. Returns what a person should know; what cannot be done now stays in the outbox for
 * the next run.
 */
export async function commitNotes(
  items: readonly OutboxItem[],
  deps: RunDeps,
): Promise<readonly string[]> {
  const { vault, versionControl } = deps;
  if (vault === undefined || versionControl === undefined) return [];
  const notes: string[] = [];
  const unpushed: OutboxItem[] = [];
  for (const item of items) {
    // Oldest first, so that the history tells the runs in their order.
    const outcome = await commitOne(item, { vault, versionControl, store: deps.store });
    notes.push(...outcome.notes);
    if (outcome.kind === "committed" && versionControl.push) unpushed.push(item);
    else if (outcome.kind !== "owed") await closeOutbox(item, deps);
  }
  if (unpushed.length === 0) return notes;
  const failed = await pushAll(versionControl);
  if (failed !== undefined) return [...notes, failed];
  for (const item of unpushed) await closeOutbox(item, deps);
  return notes;
}

interface Repository {
  readonly vault: NoteVault;
  readonly versionControl: VersionControl;
  readonly store: RunDeps["store"];
}

interface CommitOutcome {
  /** `committed`: it is in the history, now or since before. `owed`: the next run tries again. */
  readonly kind: "committed" | "nothing" | "owed";
  readonly notes: readonly string[];
}

async function commitOne(item: OutboxItem, repository: Repository): Promise<CommitOutcome> {
  try {
    return await commitPaths(item, repository);
  } catch (error) {
    // The notes and the store are safe; only the commit is owed.
    const notes = [`git: the notes of ${item.runId} are written and not committed: ${said(error)}`];
    return { kind: "owed", notes };
  }
}

async function pushAll({ push }: VersionControl): Promise<string | undefined> {
  try {
    await push?.();
    return undefined;
  } catch (error) {
    return `git: the notes are committed and not pushed, the next run tries again: ${said(error)}`;
  }
}

function said(error: unknown): string {
  if (!(error instanceof SlowwaveError)) throw error;
  return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
}

async function commitPaths(
  item: OutboxItem,
  { vault, versionControl, store }: Repository,
): Promise<CommitOutcome> {
  const state = await versionControl.state();
  if (state.kind === "none") return { kind: "nothing", notes: [] };
  if (state.kind === "occupied") {
    return {
      kind: "owed",
      notes: [`git: the commit for ${item.runId} waits: ${state.reason}`],
    };
  }
  if (await versionControl.hasRun(item.runId)) return { kind: "committed", notes: [] };
  const { ours, edited } = await sortPaths(item, vault);
  const notes = edited.map(
    (path) => `git: ${path} was edited after it was written, so it is left for you to commit`,
  );
  if (ours.length === 0) return { kind: "nothing", notes };
  const message = await commitMessage(item, { count: ours.length, store });
  const result = await versionControl.commit({ paths: ours, message, runId: item.runId });
  const ignored = result.ignored.map(
    (path) => `git: ${path} is ignored by the repository and not committed`,
  );
  return { kind: result.kind, notes: [...notes, ...ignored] };
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
