import { DAY_MS, type Instant } from "../model/instant.ts";
import type { JournalEntry } from "../model/run.ts";
import type { RecordPut } from "../ports/memory-store.ts";
import type { NotePut } from "./changes.ts";
import type { RunDeps } from "./run-deps.ts";

/**
 * Forgets what runs did longer ago than the journal is kept: those runs can no longer be undone. What a note said when it was written last
 * stays, since a person's edits are told by it. Never part of a dry run.
 */
export async function trimJournal(
  { store, settings }: Pick<RunDeps, "store" | "settings">,
  now: Instant,
): Promise<void> {
  const horizon = now - settings.journalDays * DAY_MS;
  const isOld = ({ at, state, trimmed }: JournalEntry): boolean =>
    at < horizon && state !== "prepared" && trimmed !== true;
  // The whole journal is large, and read for a week's worth at once.
  const overdue = await store.read("journal", { before: horizon - WEEKLY_MS });
  if (!overdue.some(isOld)) return;
  const entries = await store.read("journal");
  const latest = latestNotes(entries);
  const kept = (entry: JournalEntry): readonly NotePut[] =>
    notesOf(entry).filter((put) => put.after !== null && latest.get(put.path) === put);
  const old = entries.filter(isOld);
  const puts = old
    .filter((entry) => kept(entry).length > 0)
    .map((before): RecordPut => ({ record: "journal", before, after: trim(before, kept(before)) }));
  await store.commit(puts);
  const empty = old.filter((entry) => kept(entry).length === 0);
  await store.purge(empty.map((value) => ({ record: "journal", value })));
}

const WEEKLY_MS = 7 * DAY_MS;

function trim(entry: JournalEntry, notes: readonly NotePut[]): JournalEntry {
  // Its own image alone: what stood there before is an undo's, which cannot be any more.
  const changes = notes.map((put) => ({ ...put, before: put.after }));
  return { ...entry, steps: [], changes, trimmed: true, revision: entry.revision + 1 };
}

/** The change that wrote each note last. */
function latestNotes(entries: readonly JournalEntry[]): ReadonlyMap<string, NotePut> {
  const applied = entries.filter(({ state }) => state === "applied");
  const inOrder = applied.toSorted((a, b) => a.at - b.at || a.batch - b.batch);
  return new Map(inOrder.flatMap(notesOf).map((put) => [put.path, put]));
}

function notesOf({ changes }: JournalEntry): readonly NotePut[] {
  return changes.filter((change): change is NotePut => change.kind === "note.put");
}
