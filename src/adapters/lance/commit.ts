import { checkPuts } from "../../ports/check-puts.ts";
import type { CommitResult, PutConflict, RecordPut } from "../../ports/memory-store.ts";
import { type RecordEntry, recordKey, standingOfPut } from "../../ports/store-rules.ts";
import { NO_VECTORS, type RowVectors, rowsToTable, toRow, toStoreRow } from "./encode.ts";
import type { Handle } from "./handle.ts";
import { retryWhileRefused } from "./retrying.ts";
import {
  RECORDS,
  type Row,
  recordColumns,
  STORE_KEYS,
  tableSchema,
  vectorColumn,
  vectorColumnsOf,
} from "./schema.ts";
import { readHead, readTouched, type TouchedRows } from "./touched-rows.ts";
import { embedTexts } from "./vectors.ts";

/**
 * All puts in one LanceDB commit, or none. What the commit was decided on is what it is written on: the fence (see `FENCE`) has LanceDB
 * itself refuse the write where any other commit came between, also when this process slept for a day in the middle.
 */
export async function commitPuts(
  handle: Handle,
  puts: readonly RecordPut[],
): Promise<CommitResult> {
  checkPuts(puts);
  if (puts.length === 0) return { ok: true, version: await handle.records.version() };
  // Before the lock: an embedder may be slow, and may be out on the network.
  const fresh = await embedTexts(handle.embedder, changedContents(puts));
  return handle.lock.run(async () => {
    let attempt = puts.every(({ before }) => before === null) ? attemptCreation : attemptCommit;
    const result = await retryWhileRefused(() => {
      const attempting = attempt(handle, puts, fresh);
      attempt = attemptCommit;
      return attempting;
    });
    // Also where nothing was left to write: whoever wrote it may have died before it was safe.
    if (result.ok) await handle.durability.sync({ [RECORDS]: result.version });
    return result;
  });
}

function changedContents(puts: readonly RecordPut[]): readonly string[] {
  return puts.flatMap((put) =>
    put.record === "memory" && put.before?.content !== put.after.content ? put.after.content : [],
  );
}

/**
 * For puts that all make what is not there yet, as most batches of an import do. Whether something stands in their way is left to the
 * fence: to look it up takes a pass over every key of the store, as long as the write itself in a store of 100,000 (measured).
 */
async function attemptCreation(
  handle: Handle,
  puts: readonly RecordPut[],
  fresh: FreshVectors,
): Promise<CommitResult> {
  const head = await readHead(handle.records);
  const rows = puts.map((put) => rowOf(handle, put, { fresh }));
  return writeFenced(handle, rows, { head, fence: NOTHING_ELSE_STANDS });
}

async function attemptCommit(
  handle: Handle,
  puts: readonly RecordPut[],
  fresh: FreshVectors,
): Promise<CommitResult> {
  const touched = await readTouched(
    handle.records,
    puts.map((put) => recordKey(put.record, put.after)),
  );
  const { conflicts, writes } = judgePuts(puts, touched);
  if (conflicts.length > 0) return { ok: false, conflicts };
  if (writes.length === 0) return { ok: true, version: await handle.records.version() };
  const rows = writes.map((put) => rowOf(handle, put, { touched, fresh }));
  return writeFenced(handle, rows, { head: touched.head });
}

function rowOf(handle: Handle, put: RecordPut, vectors: KnownVectors): Row {
  // A put ties its kind to the type of its image; taken apart, the compiler no longer sees that.
  const entry = { record: put.record, value: put.after } as RecordEntry;
  return toRow(entry, vectorsFor(handle, put, vectors));
}

function judgePuts(puts: readonly RecordPut[], { rows }: TouchedRows) {
  const conflicts: PutConflict[] = [];
  const writes: RecordPut[] = [];
  for (const put of puts) {
    const found = rows.get(recordKey(put.record, put.after))?.value ?? null;
    const standing = standingOfPut(put, found);
    if (standing === "conflict") conflicts.push({ put, found });
    if (standing === "to write") writes.push(put);
  }
  return { conflicts, writes };
}

type FreshVectors = ReadonlyMap<string, Float32Array | null>;

interface KnownVectors {
  readonly fresh: FreshVectors;
  /** Absent where nothing stands in the store yet. */
  readonly touched?: TouchedRows;
}

/** New content has a new vector; a memory whose content stays keeps the row's, whichever embedder made it. */
function vectorsFor(
  { embedder }: Handle,
  put: RecordPut,
  { touched, fresh }: KnownVectors,
): RowVectors {
  if (put.record !== "memory") return NO_VECTORS;
  if (put.before?.content === put.after.content) {
    return touched?.rows.get(recordKey("memory", put.after)) ?? NO_VECTORS;
  }
  const vector = fresh.get(put.after.content);
  const column = vectorColumn(embedder.dimensions);
  return { embedder: embedder.id, vectors: new Map(vector ? [[column, vector]] : []) };
}

/**
 * The fence: one row of the store counts its commits, and every commit carries that row with the next number. Where the row does not
 * stand at the number before, the condition divides by zero, and LanceDB gives up the write as a whole. Conditions that are merely false
 * would skip their row and write the rest. LanceDB evaluates it again whenever it has to redo a write on a newer version.
 */
export const FENCE = `1 / CAST((source.key <> '${STORE_KEYS.head}' OR target.revision = source.revision - 1) AS INT) = 1`;

/** As `FENCE`, and refuses as well where any other row of the write stands in the store already. */
export const NOTHING_ELSE_STANDS = `1 / CAST((source.key = '${STORE_KEYS.head}' AND target.revision = source.revision - 1) AS INT) = 1`;

/** Writes rows that were decided on when the store counted `head` commits; throws where it counts more by now. */
export async function writeFenced(
  { engine, records }: Handle,
  rows: readonly Row[],
  { head, fence = FENCE }: { readonly head: number; readonly fence?: string },
): Promise<{ readonly ok: true; readonly version: number }> {
  const schema = tableSchema(engine, recordColumns, vectorColumnsOf(await records.schema()));
  const counted = toStoreRow(STORE_KEYS.head, { revision: head + 1 });
  const { version } = await records
    .mergeInsert("key")
    .whenMatchedUpdateAll({ where: fence })
    .whenNotMatchedInsertAll()
    .execute(rowsToTable(engine, schema, [counted, ...rows]));
  return { ok: true, version };
}
