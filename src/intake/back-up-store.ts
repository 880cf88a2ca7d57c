import { SlowwaveError } from "../model/errors.ts";
import type { Instant } from "../model/instant.ts";
import { canonicalJson } from "../model/json.ts";
import type { MemoryStore, RecordImage, RecordKind, RecordPut } from "../ports/memory-store.ts";
import { recordKey } from "../ports/store-rules.ts";
import { type BackupContent, readBackupFile, writeBackupFile } from "./backup-file.ts";

export interface BackupReport {
  /** By kind of record. */
  readonly records: Readonly<Record<RecordKind, number>>;
  readonly uses: number;
}

const KINDS = ["memory", "relation", "issue", "run", "journal", "outbox"] as const;
/** Readings of a store that keeps changing, before it is given up. */
const ATTEMPTS = 5;
const PUTS_PER_COMMIT = 2000;

/**
 * Writes everything a store holds into one file, as it stood at one instant, and reads the file back. Vectors are left out, since they are
 * made anew from the contents; so is the vault, which is a folder of its own.
 * @throws SlowwaveError `input` for a place that cannot be written, `store_conflict` where others kept writing.
 */
export async function backUpStore(input: {
  readonly store: MemoryStore;
  readonly path: string;
  readonly now: Instant;
}): Promise<BackupReport> {
  const { store, path, now } = input;
  const content = { ...(await readAll(store)), storeId: store.storeId, madeAt: now };
  await writeBackupFile(path, content);
  const written = await readBackupFile(path);
  if (!isSame(written, content)) {
    throw new SlowwaveError("input", `${path}: the backup does not read back as it was written`, {
      hint: "Check the disk, and write it somewhere else.",
    });
  }
  return reportOf(content);
}

type StoreContent = Pick<BackupContent, "records" | "uses">;

/** All kinds at one version: where a commit came between the readings, they are made again. */
async function readAll(store: MemoryStore): Promise<StoreContent> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const { version, uses } = await store.snapshot();
    const records = await readRecords(store);
    const after = await store.snapshot();
    if (canonicalJson(after.version) === canonicalJson(version)) return { records, uses };
  }
  throw new SlowwaveError("store_conflict", "other processes kept writing during the backup", {
    hint: "Make it when fewer processes write.",
  });
}

async function readRecords(store: MemoryStore): Promise<readonly RecordImage[]> {
  const kinds = await Promise.all(
    KINDS.map(async (record) =>
      // The kind and the values read by it belong together; the compiler sees the unions apart.
      (await store.read(record)).map((value) => ({ record, value }) as RecordImage),
    ),
  );
  return kinds.flat();
}

/**
 * Fills an empty store from a backup, and checks that it then holds just that. One that was filled in part by the same backup is
 * finished; any other content refuses it.
 * @throws SlowwaveError `input` for a file that is no whole backup, `store_conflict` for a store that holds something else.
 */
export async function restoreBackup(input: {
  readonly store: MemoryStore;
  readonly path: string;
}): Promise<BackupReport> {
  const { store, path } = input;
  const content = await readBackupFile(path);
  await refuseOthers(store, content);
  for (let at = 0; at < content.records.length; at += PUTS_PER_COMMIT) {
    // In turn: a store takes one commit at a time.
    const result = await store.commit(
      content.records.slice(at, at + PUTS_PER_COMMIT).map(creationOf),
    );
    if (!result.ok) throw notEmpty(store);
  }
  await store.recordUses(content.uses);
  const restored = await readAll(store);
  if (!isSame(restored, content)) throw notEmpty(store);
  return reportOf(content);
}

/** Item by item: the whole of a large store is longer than any string can be. */
function isSame(a: StoreContent, b: StoreContent): boolean {
  const [left, right] = [a, b].map(({ records, uses }) => [...records, ...uses]);
  return (
    left?.length === right?.length &&
    left?.every((item, index) => canonicalJson(item) === canonicalJson(right?.[index])) === true
  );
}

function creationOf({ record, value }: RecordImage): RecordPut {
  // As above.
  return { record, before: null, after: value } as RecordPut;
}

async function refuseOthers(store: MemoryStore, content: BackupContent): Promise<void> {
  const ours = new Map(
    content.records.map((image) => [recordKey(image.record, image.value), image.value]),
  );
  const found = await readAll(store);
  const useIds = new Set(content.uses.map(({ id }) => id));
  const isOurs =
    found.uses.every(({ id }) => useIds.has(id)) &&
    found.records.every(
      ({ record, value }) =>
        canonicalJson(ours.get(recordKey(record, value))) === canonicalJson(value),
    );
  if (!isOurs) throw notEmpty(store);
}

function notEmpty(store: MemoryStore): SlowwaveError {
  return new SlowwaveError("store_conflict", `${store.uri}: the store is not empty`, {
    hint: "Restore into a new one: --store with a folder that is not there yet.",
  });
}

function reportOf({ records, uses }: StoreContent): BackupReport {
  const counts = { memory: 0, relation: 0, issue: 0, run: 0, journal: 0, outbox: 0 };
  for (const { record } of records) counts[record] += 1;
  return { records: counts, uses: uses.length };
}
