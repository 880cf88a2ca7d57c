import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fieldsOf } from "../../model/json.ts";
import { hasCode } from "./file-errors.ts";
import { RECORDS, USES } from "./schema.ts";

/**
 * LanceDB never calls fsync (traced: 0 calls), so a power cut may lose what a commit wrote, or leave files cut short that still open and
 * count. A commit is therefore followed by an fsync of every file and folder that is new since the last one.
 */
export interface Durability {
  /** Returns when all that is on disk now would survive a power cut; `versions` are the tables' versions known to be among it. */
  sync(versions: Partial<TableVersions>): Promise<void>;
}

export type TableVersions = Readonly<Record<typeof RECORDS | typeof USES, number>>;

/** Up to which version each table is known to be on the disk, and in which boot that was written. */
export interface DurableMarker {
  readonly bootId: string;
  readonly versions: TableVersions;
}

const MARKER = "durable.json";

/** For stores that are not local folders: an object store answers when the data is safe. */
export const REMOTE_DURABILITY: Durability = { sync: async () => undefined };

/** Files that are there already count as safe only where the marker says so. */
export async function createDurability({
  folder,
  bootId,
  safe,
}: {
  readonly folder: string;
  readonly bootId: string;
  readonly safe: TableVersions | undefined;
}): Promise<Durability> {
  let seen: ReadonlySet<string> = safe === undefined ? new Set() : await listPaths(folder);
  let versions: TableVersions = safe ?? { [RECORDS]: 0, [USES]: 0 };
  let tail: Promise<void> = Promise.resolve();
  const syncNow = async (reached: Partial<TableVersions>): Promise<void> => {
    const paths = await listPaths(folder);
    await syncAll([...paths].filter((path) => !seen.has(path) || isRewritten(path)));
    seen = paths;
    versions = {
      [RECORDS]: Math.max(versions[RECORDS], reached[RECORDS] ?? 0),
      [USES]: Math.max(versions[USES], reached[USES] ?? 0),
    };
    await writeMarker(folder, { bootId, versions });
  };
  return {
    sync: (reached) => {
      const turn = tail.then(() => syncNow(reached));
      tail = turn.catch(() => undefined);
      return turn;
    },
  };
}

/** LanceDB writes each file once, but for the one that tells where to begin looking for the newest version. */
function isRewritten(path: string): boolean {
  return path.endsWith("latest_version_hint.json");
}

export async function readMarker(folder: string): Promise<DurableMarker | undefined> {
  try {
    const marker: unknown = JSON.parse(await readFile(join(folder, MARKER), "utf8"));
    return isMarker(marker) ? marker : undefined;
  } catch (error) {
    // A marker that is missing or cut short proves nothing: the store is then checked by reading it.
    if (error instanceof SyntaxError || hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

function isMarker(value: unknown): value is DurableMarker {
  const { bootId, versions } = fieldsOf(value);
  const { [RECORDS]: records, [USES]: uses } = fieldsOf(versions);
  return typeof bootId === "string" && Number.isInteger(records) && Number.isInteger(uses);
}

/** Not fsynced itself: an older marker only means more checking. */
async function writeMarker(folder: string, marker: DurableMarker): Promise<void> {
  const temporary = join(folder, `${MARKER}.${randomUUID()}`);
  await writeFile(temporary, JSON.stringify(marker));
  await rename(temporary, join(folder, MARKER));
}

/**
 * Every file and folder of both tables. Versions are listed first: a version that is listed has its data files on disk by then, and
 * they are listed after it.
 */
async function listPaths(folder: string): Promise<ReadonlySet<string>> {
  const tables = [RECORDS, USES].map((name) => join(folder, `${name}.lance`));
  const versions = await Promise.all(tables.map((table) => listTree(join(table, "_versions"))));
  const rest = await Promise.all(tables.map((table) => listTree(table)));
  return new Set([...versions.flat(), ...rest.flat(), folder, dirname(folder)]);
}

async function listTree(root: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(root, { recursive: true });
    return [root, ...entries.map((entry) => join(root, entry))];
  } catch (error) {
    // A clean-up by another process may remove a folder while it is listed.
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

const PARALLEL = 16;

/** Files first, then the folders that name them. */
async function syncAll(files: readonly string[]): Promise<void> {
  const folders = new Set(files.map((file) => dirname(file)));
  await syncInParallel(files.filter((file) => !folders.has(file)));
  await syncInParallel([...folders]);
}

async function syncInParallel(paths: readonly string[]): Promise<void> {
  for (let start = 0; start < paths.length; start += PARALLEL) {
    // In turns, so that a large import does not run out of file handles.
    await Promise.all(paths.slice(start, start + PARALLEL).map(syncPath));
  }
}

async function syncPath(path: string): Promise<void> {
  try {
    await using file = await open(path, "r");
    await file.sync();
  } catch (error) {
    // Cleaned up by another process since it was listed: nothing refers to it any more.
    if (hasCode(error, "ENOENT")) return;
    // Windows flushes neither folders nor files opened for reading; its folders need none, and NTFS journals their entries.
    if (process.platform === "win32" && hasCode(error, "EPERM")) return;
    throw error;
  }
}
