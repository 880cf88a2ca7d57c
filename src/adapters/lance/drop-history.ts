import type { Table } from "@lancedb/lancedb";
import type { Handle } from "./handle.ts";
import { ensureTextIndex } from "./indexes.ts";
import { retryWhileRefused } from "./retrying.ts";
import { RECORDS, USES } from "./schema.ts";

/**
 * Leaves nothing on disk but what the tables hold now: what was removed or replaced stays otherwise in data files beside rows that still
 * count, in the index, and in older versions. Every row is written anew, the index is made anew, and all older versions are deleted; a
 * handle that reads one of them fails once, and reads again.
 */
export async function dropHistory(handle: Handle): Promise<void> {
  const { engine, records, uses, durability, lock, folder } = handle;
  // Under the lock, for what follows deletes files that no version names: those of a commit which another process is just making, too.
  await lock.runAlone(async () => {
    for (const { name } of await records.listIndices()) await records.dropIndex(name);
    await writeAnew(records, "revision");
    await writeAnew(uses, "at");
    await ensureTextIndex(engine, records);
    // Uses are recorded without the lock, and hold no text: files of theirs that no version names are left to age.
    await cleanUp(records, folder !== undefined);
    await cleanUp(uses, false);
    await durability.sync({ [RECORDS]: await records.version(), [USES]: await uses.version() });
  });
}

/** An update that changes no value: LanceDB moves each row that it touches to a new file, and does it again where another writer came between. */
async function writeAnew(table: Table, column: string): Promise<void> {
  await retryWhileRefused(() =>
    table.update({ where: "true", valuesSql: { [column]: `\`${column}\`` } }),
  );
}

async function cleanUp(table: Table, deleteUnverified: boolean): Promise<void> {
  await retryWhileRefused(() => table.optimize({ cleanupOlderThan: new Date(), deleteUnverified }));
}
