import { randomUUID } from "node:crypto";
import type { Connection, Table } from "@lancedb/lancedb";
import { SlowwaveError } from "../../model/errors.ts";
import type { Embedder } from "../../ports/embedder.ts";
import { rowsToTable } from "./encode.ts";
import type { Engine } from "./engine.ts";
import { findTable } from "./find-table.ts";
import { ensureTextIndex } from "./indexes.ts";
import { readMeta } from "./meta.ts";
import { migrateStore } from "./migrate.ts";
import {
  OLDEST_READABLE,
  RECORDS,
  recordColumns,
  SCHEMA_VERSION,
  tableSchema,
  USES,
  useColumns,
  vectorColumn,
  vectorColumnsOf,
  vectorField,
} from "./schema.ts";
import { storeRows } from "./store-rows.ts";

interface Tables {
  readonly records: Table;
  readonly uses: Table;
  readonly storeId: string;
}

interface Opening {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly embedder: Embedder;
  readonly folder: string | undefined;
  readonly uri: string;
  readonly create: boolean;
  /** Makes a table of uses where there is none. */
  readonly repair: boolean;
  readonly onNote: (note: string) => void;
}

export async function openTablesForReading(connection: Connection, uri: string): Promise<Tables> {
  const records = await findTable(connection, RECORDS);
  if (!records) throw noStore(uri);
  const { storeId, schemaVersion } = await readMeta(uri, records);
  if (schemaVersion < OLDEST_READABLE) {
    throw new SlowwaveError(
      "store_unavailable",
      `the store ${uri} has layout ${schemaVersion}, which is read only after it was brought to layout ${SCHEMA_VERSION}`,
      { hint: "Run `slowwave doctor --repair` once; a copy of the old table is kept." },
    );
  }
  return { records, uses: await openUses(connection, uri), storeId };
}

/** The tables in their present layout, made or brought up to date where need be; `changed` tells whether anything was written. */
export async function openTables(
  opening: Opening,
): Promise<Tables & { readonly changed: boolean }> {
  const { connection, engine, embedder, uri, repair, onNote } = opening;
  const found = await findTable(connection, RECORDS);
  const records = found ?? (await createTables(opening));
  const { storeId, schemaVersion } = await readMeta(uri, records);
  const isOld = schemaVersion < SCHEMA_VERSION;
  const current = isOld
    ? await migrateStore({ ...opening, records, meta: { storeId, schemaVersion } })
    : records;
  if (isOld) onNote(`The store was brought from layout ${schemaVersion} to ${SCHEMA_VERSION}.`);
  const addedColumn = await ensureVectorColumn(engine, current, embedder.dimensions);
  const addedIndex = await ensureTextIndex(engine, current);
  if (repair) await ensureUses(connection, engine);
  const uses = await openUses(connection, uri);
  const changed = !found || isOld || addedColumn || addedIndex || repair;
  return { records: current, uses, storeId, changed };
}

async function openUses(connection: Connection, uri: string): Promise<Table> {
  const uses = await findTable(connection, USES);
  if (uses) return uses;
  throw new SlowwaveError("store_damaged", `the store ${uri} has no table of uses`, {
    hint: "`slowwave doctor --repair` begins a new one; the memories are not touched.",
  });
}

/** `records` last, and with its rows in one step: where it exists, the store is whole. */
async function createTables({
  connection,
  engine,
  embedder,
  uri,
  create,
}: Opening): Promise<Table> {
  if (!create) throw noStore(uri);
  await ensureUses(connection, engine);
  const vectors = new Map([[vectorColumn(embedder.dimensions), embedder.dimensions]]);
  const schema = tableSchema(engine, recordColumns, vectors);
  const rows = rowsToTable(engine, schema, storeRows(randomUUID()));
  return connection.createTable(RECORDS, rows, { existOk: true });
}

async function ensureUses(connection: Connection, engine: Engine): Promise<void> {
  const uses =
    (await findTable(connection, USES)) ??
    (await connection.createEmptyTable(USES, tableSchema(engine, useColumns), { existOk: true }));
  // Without the declared key, two processes that add one event at once would both succeed.
  if (!(await hasKey(uses))) await uses.setUnenforcedPrimaryKey("id");
}

/** LanceDB keeps the declaration in the metadata of the key's column. */
async function hasKey(table: Table): Promise<boolean> {
  return (await table.schema()).fields.some(({ metadata }) => metadata.size > 0);
}

async function ensureVectorColumn(
  { arrow }: Engine,
  records: Table,
  dimensions: number,
): Promise<boolean> {
  const name = vectorColumn(dimensions);
  if (vectorColumnsOf(await records.schema()).has(name)) return false;
  await records.addColumns(vectorField(arrow, name, dimensions));
  return true;
}

function noStore(uri: string): SlowwaveError {
  return new SlowwaveError("store_unavailable", `there is no store in ${uri}`, {
    hint: "Make one with `slowwave init`, or give another with --store.",
  });
}
