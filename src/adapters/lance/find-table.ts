import type { Connection, Table } from "@lancedb/lancedb";

/** `undefined` where there is no such table; any other failure throws. */
export async function findTable(connection: Connection, name: string): Promise<Table | undefined> {
  try {
    return await connection.openTable(name);
  } catch (error) {
    if (error instanceof Error && /^table '.*' was not found/i.test(error.message))
      return undefined;
    throw error;
  }
}
