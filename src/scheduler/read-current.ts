import type { MemoryStore, RecordPut } from "../ports/memory-store.ts";
import { recordKey, type StoredRecord } from "../ports/store-rules.ts";

/** What stands in the store where these puts would write, by key. */
export async function readCurrent(
  puts: readonly RecordPut[],
  store: MemoryStore,
): Promise<ReadonlyMap<string, StoredRecord>> {
  const current = new Map<string, StoredRecord>();
  for (const record of ["memory", "relation", "issue"] as const) {
    const ids = puts.filter((put) => put.record === record).map((put) => put.after.id);
    if (ids.length === 0) continue;
    for (const found of await store.read(record, { ids })) {
      current.set(recordKey(record, found), found);
    }
  }
  return current;
}
