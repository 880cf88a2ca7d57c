import type { Table } from "@lancedb/lancedb";
import { connectTo, type Engine } from "./engine.ts";

/** `index`: what a search needs, made of the rows and made again at any time. */
export type Damage = {
  readonly kind: "rows" | "index";
  readonly cause: unknown;
};

/**
 * What stands in the way of reading a table whole, if anything. Only reading tells: a table whose data file was cut short still opens and
 * counts. A connection of its own, or LanceDB would answer from its caches.
 */
export async function findDamage(
  engine: Engine,
  folder: string,
  name: string,
): Promise<Damage | undefined> {
  const connection = await connectTo(engine, folder);
  try {
    const table = await connection.openTable(name);
    await readAll(table);
    return await findIndexDamage(table);
  } catch (cause) {
    return { kind: "rows", cause };
  } finally {
    connection.close();
  }
}

async function readAll(table: Table): Promise<void> {
  let rows = 0;
  for await (const batch of table.query()) rows += batch.numRows;
  const counted = await table.countRows();
  if (rows !== counted) throw new Error(`${counted} rows are counted, ${rows} can be read`);
}

async function findIndexDamage(table: Table): Promise<Damage | undefined> {
  try {
    for (const { name } of await table.listIndices()) await table.prewarmIndex(name);
    return undefined;
  } catch (cause) {
    return { kind: "index", cause };
  }
}

/** How many rows a version counts, also where it cannot read them; undefined where not even that is to be had. */
export async function countRows(
  engine: Engine,
  folder: string,
  name: string,
): Promise<number | undefined> {
  const connection = await connectTo(engine, folder);
  try {
    return await (await connection.openTable(name)).countRows();
  } catch {
    // It is damaged, which is why this is asked: then nobody knows.
    return undefined;
  } finally {
    connection.close();
  }
}

/** Indexes only: rows are never touched. */
export async function dropIndexes(engine: Engine, folder: string, name: string): Promise<void> {
  const connection = await connectTo(engine, folder);
  try {
    const table = await connection.openTable(name);
    for (const index of await table.listIndices()) await table.dropIndex(index.name);
  } finally {
    connection.close();
  }
}
