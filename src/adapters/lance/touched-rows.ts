import type { Table } from "@lancedb/lancedb";
import type { RecordBatch } from "apache-arrow";
import { SlowwaveError } from "../../model/errors.ts";
import type { StoredRecord } from "../../ports/store-rules.ts";
import { allEntryColumns, entriesOf, numberColumn, textColumn, vectorColumnOf } from "./decode.ts";
import type { RowVectors } from "./encode.ts";
import { isIn, LONGEST_LIST, quote } from "./escape.ts";
import { scan } from "./read.ts";
import { STORE_KEYS, vectorColumnsOf } from "./schema.ts";

/** What stands in the store where a batch wants to write, and the number of commits up to then. */
export interface TouchedRows {
  readonly head: number;
  readonly rows: ReadonlyMap<string, TouchedRow>;
}

export interface TouchedRow extends RowVectors {
  readonly value: StoredRecord;
}

/**
 * The head is read first. Should a commit come between the two readings, the rows are newer than the head, and the fence refuses what
 * was decided on them; the other way round it would not.
 */
export async function readTouched(table: Table, keys: readonly string[]): Promise<TouchedRows> {
  const head = await readHead(table);
  const present = keys.length > LONGEST_LIST ? await keysPresent(table, keys) : keys;
  if (present.length === 0) return { head, rows: new Map() };
  const schema = await table.schema();
  const vectors = vectorColumnsOf(schema);
  const wanted = new Set(present);
  const rows = await scan(table, {
    // For a list too long, everything is read, and sorted out here.
    ...(present.length > LONGEST_LIST ? {} : { where: isIn("key", present) }),
    columns: [...allEntryColumns(schema), "embedder", ...vectors.keys()],
    decode: (batch) => touchedOf(batch, [...vectors.keys()]).filter(([key]) => wanted.has(key)),
  });
  return { head, rows: new Map(rows) };
}

export async function readHead(table: Table): Promise<number> {
  const [head] = await scan(table, {
    where: `key = ${quote(STORE_KEYS.head)}`,
    columns: ["revision"],
    decode: (batch) => numberColumn(batch, "revision"),
  });
  if (head !== undefined) return head;
  throw new SlowwaveError("store_damaged", "the store has lost the row that counts its commits", {
    hint: "Restore a backup.",
  });
}

/** An import's batch is mostly new: one scan of the keys tells, without reading a body. */
async function keysPresent(table: Table, keys: readonly string[]): Promise<readonly string[]> {
  const wanted = new Set(keys);
  return scan(table, {
    columns: ["key"],
    decode: (batch) =>
      textColumn(batch, "key").flatMap((key) => (key !== null && wanted.has(key) ? key : [])),
  });
}

function touchedOf(batch: RecordBatch, names: readonly string[]): [string, TouchedRow][] {
  const embedders = textColumn(batch, "embedder");
  const columns = names.map((name) => [name, vectorColumnOf(batch, name)] as const);
  return entriesOf(batch).map(({ key, value }, index) => {
    const vectors = new Map<string, Float32Array>();
    for (const [name, column] of columns) {
      const vector = column[index];
      // Copied: a view would keep the whole batch in memory.
      if (vector) vectors.set(name, vector.slice());
    }
    return [key, { value, embedder: embedders[index] ?? null, vectors }];
  });
}
