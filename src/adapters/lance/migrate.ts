import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Connection, Table } from "@lancedb/lancedb";
import type { Embedder } from "../../ports/embedder.ts";
import type { RecordEntry } from "../../ports/store-rules.ts";
import { ENTRY_COLUMNS, entriesOf } from "./decode.ts";
import { NO_VECTORS, rowsToTable, toRow } from "./encode.ts";
import type { Engine } from "./engine.ts";
import { quote } from "./escape.ts";
import type { StoreMeta } from "./meta.ts";
import { scan } from "./read.ts";
import {
  LONG_COLUMNS,
  RECORDS,
  recordColumns,
  STORE_KEYS,
  tableSchema,
  vectorColumn,
} from "./schema.ts";
import { metaBody, storeRows } from "./store-rows.ts";
import { embedTexts } from "./vectors.ts";

/** A record's body under the next layout. */
type Step = (record: string, body: Readonly<Record<string, unknown>>) => Record<string, unknown>;

/** Step n takes a body from layout n to layout n + 1; from layout 1 on, bodies stay. */
const STEPS: readonly Step[] = [
  // Layout 0 had memories without a revision, and told neither pinned nor disputed ones.
  (record, body) =>
    record === "memory"
      ? { revision: 1, pinned: false, disputed: false, ...body }
      : { revision: 1, ...body },
];

/** Brings a store made by an older slowwave up to the present layout. */
export async function migrateStore(old: OldStore): Promise<Table> {
  return old.meta.schemaVersion === 0 ? await rewrite(old) : await addLongColumns(old);
}

/**
 * Layout 1 had no columns for long fields. What it wrote is read as it stands. The columns come first, so that a store that says it has
 * them has them.
 */
async function addLongColumns({ engine: { arrow }, records, meta }: OldStore): Promise<Table> {
  const present = new Set((await records.schema()).fields.map(({ name }) => name));
  const missing = LONG_COLUMNS.filter((name) => !present.has(name));
  if (missing.length > 0) {
    await records.addColumns(missing.map((name) => new arrow.Field(name, new arrow.Utf8(), true)));
  }
  const values = { body: metaBody(meta.storeId) };
  await records.update({ where: `key = ${quote(STORE_KEYS.meta)}`, values });
  return records;
}

interface OldStore {
  readonly connection: Connection;
  readonly engine: Engine;
  readonly embedder: Embedder;
  readonly folder: string | undefined;
  readonly meta: StoreMeta;
  readonly records: Table;
}

/**
 * Columns follow from bodies: all bodies are rewritten into a new table that takes the old one's place in one LanceDB commit. A copy of
 * the old table is kept first.
 */
async function rewrite({
  connection,
  engine,
  embedder,
  folder,
  meta,
  records,
}: OldStore): Promise<Table> {
  if (folder !== undefined) await backUp(folder, meta.schemaVersion);
  const entries = await scan(records, { columns: ENTRY_COLUMNS, decode: entriesOf });
  const upgraded = entries
    // The store's own rows are written anew below.
    .filter(({ key }) => key.startsWith("["))
    .map(({ record, value }) => upgrade(meta.schemaVersion, record, value));
  const vectors = await embedTexts(
    embedder,
    upgraded.flatMap((entry) => (entry.record === "memory" ? entry.value.content : [])),
  );
  const column = vectorColumn(embedder.dimensions);
  const rows = upgraded.map((entry) => {
    if (entry.record !== "memory") return toRow(entry, NO_VECTORS);
    const vector = vectors.get(entry.value.content);
    return toRow(entry, {
      embedder: embedder.id,
      vectors: new Map(vector ? [[column, vector]] : []),
    });
  });
  const schema = tableSchema(engine, recordColumns, new Map([[column, embedder.dimensions]]));
  const table = rowsToTable(engine, schema, [...storeRows(meta.storeId), ...rows]);
  return connection.createTable(RECORDS, table, { mode: "overwrite" });
}

function upgrade(from: number, record: string, value: object): RecordEntry {
  const body = STEPS.slice(from).reduce(
    (sofar, step) => step(record, sofar),
    value as Readonly<Record<string, unknown>>,
  );
  // The steps end at the present layout, whose bodies are the model's records.
  return { record, value: body } as unknown as RecordEntry;
}

/** Complete or not there: a copy that was cut short never has the final name. */
async function backUp(folder: string, schemaVersion: number): Promise<void> {
  const backups = join(folder, "backups");
  const target = join(backups, `layout-${schemaVersion}`);
  const partial = `${target}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await cp(join(folder, `${RECORDS}.lance`), join(partial, `${RECORDS}.lance`), {
    recursive: true,
  });
  await rm(target, { recursive: true, force: true });
  await rename(partial, target);
}
