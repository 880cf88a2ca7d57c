import { canonicalJson } from "../model/json.ts";
import type { JournalEntry } from "../model/run.ts";
import type { RecordPut } from "../ports/memory-store.ts";
import type { NoteVault } from "../ports/note-vault.ts";
import { putsOf } from "./batches.ts";
import { keyOfPut, type NotePut, toRecordPut } from "./changes.ts";
import { commitNotes } from "./commit-notes.ts";
import { nextGitRow, outboxPuts } from "./git-row.ts";
import { readCurrent } from "./read-current.ts";
import type { RunDeps } from "./run-deps.ts";
import { sendIssues } from "./send-issues.ts";
import { restoreNotes, writeNotes } from "./write-notes.ts";

/**
 * The first act of a run: finishes what a killed one left half done, oldest first. A prepared batch rolls forward where every record is
 * as before or as after it, else back; owed git commits are made, and the tracker is told what it is owed. Returns what a person should know.
 */
export async function recover(deps: RunDeps): Promise<readonly string[]> {
  const prepared = await deps.store.read("journal", { state: ["prepared"] });
  const notes: string[] = [];
  for (const entry of prepared.toSorted((a, b) => a.at - b.at || a.batch - b.batch)) {
    // Oldest first: a later batch was planned on the effects of the earlier one.
    notes.push(...(await recoverBatch(entry, deps)));
  }
  const owed = await deps.store.read("outbox", { state: ["open"] });
  const commits = owed.filter((item) => item.kind === "git").toSorted((a, b) => a.at - b.at);
  notes.push(...(await commitNotes(commits, deps)));
  notes.push(...(await sendIssues(deps)));
  return notes;
}

async function recoverBatch(entry: JournalEntry, deps: RunDeps): Promise<readonly string[]> {
  const vault = await readyVault(deps);
  if (vault === undefined) {
    return [`recovery: batch ${entry.id} waits, since its vault is not there to be written`];
  }
  const puts = putsOf(entry.changes).map(toRecordPut);
  const notePuts = entry.changes.filter((change): change is NotePut => change.kind === "note.put");
  const moved = await findMoved(puts, deps);
  return moved.length === 0
    ? await rollForward({ entry, puts, notePuts, vault }, deps)
    : await rollBack({ entry, notePuts, vault, moved }, deps);
}

async function readyVault(deps: RunDeps): Promise<NoteVault | undefined> {
  const state = await deps.vault?.state();
  return state?.kind === "ready" ? deps.vault : undefined;
}

/** Ids of records that equal neither image of their put. */
async function findMoved(puts: readonly RecordPut[], deps: RunDeps): Promise<readonly string[]> {
  const current = await readCurrent(puts, deps.store);
  return puts.flatMap((put) => {
    const found = canonicalJson(current.get(keyOfPut(put)) ?? null);
    const isKnown = found === canonicalJson(put.before) || found === canonicalJson(put.after);
    return isKnown ? [] : [put.after.id];
  });
}

async function rollForward(
  batch: {
    readonly entry: JournalEntry;
    readonly puts: readonly RecordPut[];
    readonly notePuts: readonly NotePut[];
    readonly vault: NoteVault;
  },
  deps: RunDeps,
): Promise<readonly string[]> {
  const { entry, puts, notePuts, vault } = batch;
  const refused = await writeNotes(vault, notePuts);
  if (refused.length > 0) {
    // A promotion needs its note: without it the whole batch goes back, and this run plans it anew.
    return await rollBack(
      { entry, notePuts, vault, moved: refused.map((one) => one.put.path) },
      deps,
    );
  }
  const journal = closeEntry(entry, "applied");
  const outbox = await outboxOf(entry, notePuts, deps);
  const result = await deps.store.commit([...puts, journal, ...outbox]);
  if (!result.ok) {
    const moved = result.conflicts.map((conflict) => conflict.put.after.id);
    return await rollBack({ entry, notePuts, vault, moved }, deps);
  }
  return [`recovery: finished batch ${entry.id} of an interrupted run`];
}

async function rollBack(
  batch: {
    readonly entry: JournalEntry;
    readonly notePuts: readonly NotePut[];
    readonly vault: NoteVault;
    readonly moved: readonly string[];
  },
  deps: RunDeps,
): Promise<readonly string[]> {
  const kept = await restoreNotes(batch.vault, batch.notePuts);
  await deps.store.commit([closeEntry(batch.entry, "rolled_back")]);
  const edited = kept.map((one) => `recovery: ${one.put.path} has been edited and stays as it is`);
  const why = `${batch.moved.slice(0, 3).join(", ")} changed meanwhile`;
  return [`recovery: took back batch ${batch.entry.id} of an interrupted run (${why})`, ...edited];
}

function closeEntry(entry: JournalEntry, state: "applied" | "rolled_back"): RecordPut {
  return {
    record: "journal",
    before: entry,
    after: { ...entry, state, revision: entry.revision + 1 },
  };
}

/** The git row that the interrupted batch would have written with its commit. */
async function outboxOf(
  entry: JournalEntry,
  notePuts: readonly NotePut[],
  deps: RunDeps,
): Promise<readonly RecordPut[]> {
  if (deps.versionControl === undefined || notePuts.length === 0) return [];
  const [previous] = await deps.store.read("outbox", { ids: [`git:${entry.runId}`] });
  const after = nextGitRow({ previous, notes: notePuts, runId: entry.runId, at: entry.at });
  return outboxPuts(previous, after);
}
