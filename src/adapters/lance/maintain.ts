import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { HOUR_MS, type Instant } from "../../model/instant.ts";
import type { MaintenanceReport } from "../../ports/memory-store.ts";
import { hasCode } from "./file-errors.ts";
import type { Handle } from "./handle.ts";
import { ensureTextIndex, unindexedRows } from "./indexes.ts";
import { retryWhileRefused } from "./retrying.ts";
import { RECORDS, USES } from "./schema.ts";

/** Each commit leaves a fragment; a thousand of them make a scan 150 times slower than one. */
const SMALL_FRAGMENTS = 20;
const UNINDEXED_SHARE = 0.05;
/** As few are searched flat in no time. */
const UNINDEXED_ROWS = 200;

export async function maintainStore(handle: Handle, now: Instant): Promise<MaintenanceReport> {
  const { engine, records, uses, durability } = handle;
  await ensureTextIndex(engine, records);
  const rows = await records.countRows();
  const unindexed = await unindexedRows(records);
  const isSearchSlow = unindexed > Math.max(UNINDEXED_ROWS, UNINDEXED_SHARE * rows);
  const optimized = [
    await optimizeWhen(records, isSearchSlow, now),
    await optimizeWhen(uses, false, now),
  ];
  if (optimized.includes(true)) {
    await durability.sync({
      [RECORDS]: await records.version(),
      [USES]: await uses.version(),
    });
  }
  const counts = await Promise.all([records, uses].map((table) => table.stats()));
  return {
    optimized: optimized.includes(true),
    fragments: counts.reduce((sum, { fragmentStats }) => sum + fragmentStats.numFragments, 0),
    bytes:
      handle.folder === undefined
        ? counts.reduce((sum, { totalBytes }) => sum + totalBytes, 0)
        : await bytesOf(handle.folder),
  };
}

async function optimizeWhen(table: Table, needed: boolean, now: Instant): Promise<boolean> {
  const { fragmentStats } = await table.stats();
  if (!needed && fragmentStats.numSmallFragments < SMALL_FRAGMENTS) return false;
  // An hour's grace: a version that is cleaned up fails every handle that still reads it. Version times are the machine's, so a run
  // whose clock is set ahead must not clean up more than that.
  const cleanupOlderThan = new Date(Math.min(now, Date.now()) - HOUR_MS);
  await retryWhileRefused(() => table.optimize({ cleanupOlderThan }));
  return true;
}

async function bytesOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => sizeOf(join(entry.parentPath, entry.name))),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    // Another process's clean-up.
    if (hasCode(error, "ENOENT")) return 0;
    throw error;
  }
}
