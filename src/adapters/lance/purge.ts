import type { Memory } from "../../model/memory.ts";
import type { PurgeResult } from "../../ports/memory-store.ts";
import { type RecordEntry, recordKey, standingOfImage } from "../../ports/store-rules.ts";
import { writeFenced } from "./commit.ts";
import { isIn, quote } from "./escape.ts";
import type { Handle } from "./handle.ts";
import { retryWhileRefused } from "./retrying.ts";
import { RECORDS, USES } from "./schema.ts";
import { readTouched } from "./touched-rows.ts";

/** Deletes rows that stand as given. The only place that deletes any. */
export async function purgeRecords(
  handle: Handle,
  images: readonly RecordEntry[],
): Promise<PurgeResult> {
  if (images.length === 0) return { ok: true };
  return await handle.lock.run(async () => {
    const result = await retryWhileRefused(() => attemptPurge(handle, images));
    if (!result.ok) return result;
    await deleteUses(handle, images);
    await handle.durability.sync({
      [RECORDS]: await handle.records.version(),
      [USES]: await handle.uses.version(),
    });
    return result;
  });
}

async function attemptPurge(handle: Handle, images: readonly RecordEntry[]): Promise<PurgeResult> {
  const keys = images.map(({ record, value }) => recordKey(record, value));
  const touched = await readTouched(handle.records, keys);
  const moved = images.filter(
    ({ record, value }) =>
      standingOfImage(value, touched.rows.get(recordKey(record, value))?.value ?? null) === "moved",
  );
  if (moved.length > 0) return { ok: false, moved };
  // Counts as a commit, so that one which was decided on the rows before is refused and decides anew. A delete has no fence of its own;
  // the revisions in its condition spare a row that someone without the lock changes in between.
  await writeFenced(handle, [], { head: touched.head });
  await handle.records.delete(conditionOf(images));
  return { ok: true };
}

function conditionOf(images: readonly RecordEntry[]): string {
  const byRevision = groupBy(images, ({ value }) => value.revision);
  return [...byRevision]
    .map(([revision, entries]) => {
      const keys = entries.map(({ record, value }) => recordKey(record, value));
      return `(revision = ${revision} AND ${isIn("key", keys)})`;
    })
    .join(" OR ");
}

async function deleteUses({ uses }: Handle, images: readonly RecordEntry[]): Promise<void> {
  const memories = images.flatMap(({ record, value }): Memory[] =>
    record === "memory" ? [value] : [],
  );
  if (memories.length === 0) return;
  const byNamespace = groupBy(memories, ({ namespace }) => namespace);
  const condition = [...byNamespace]
    .map(([namespace, own]) => {
      const ids = own.map(({ id }) => id);
      return `(namespace = ${quote(namespace)} AND ${isIn("memory_id", ids)})`;
    })
    .join(" OR ");
  await retryWhileRefused(() => uses.delete(condition));
}

function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
