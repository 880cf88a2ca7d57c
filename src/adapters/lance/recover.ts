import { mkdir, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import type { Table } from "@lancedb/lancedb";
import { SlowwaveError } from "../../model/errors.ts";
import type { DurableMarker, TableVersions } from "./durable.ts";
import { connectTo, type Engine } from "./engine.ts";
import { hasCode } from "./file-errors.ts";
import { RECORDS, USES } from "./schema.ts";

const DAMAGED = "damaged";

interface Recovery {
  readonly engine: Engine;
  readonly folder: string;
  readonly bootId: string;
  readonly marker: DurableMarker | undefined;
  readonly onNote: (note: string) => void;
}

/**
 * Before a store is written to again after the machine went down: versions above the last one known to be safe are read, newest first, and
 * those that cannot be read are set aside, so that nothing is built on them. None of them was ever reported as committed. `safe` is false
 * where `latest` is not known to be on the disk yet.
 */
export async function recoverStore(
  recovery: Recovery,
): Promise<{ readonly latest: TableVersions; readonly safe: boolean }> {
  const { folder, marker, bootId } = recovery;
  const found = await latestVersions(folder);
  const pending = ([RECORDS, USES] as const).filter(
    (name) => found[name] > (marker?.versions[name] ?? 0),
  );
  if (marker?.bootId === bootId) return { latest: found, safe: pending.length === 0 };
  // One table after the other: both may have something to set aside.
  for (const name of pending) await recoverTable(recovery, name);
  return { latest: await latestVersions(folder), safe: false };
}

async function latestVersions(folder: string): Promise<TableVersions> {
  const latest = async (name: string) => (await listVersions(folder, name))[0]?.version ?? 0;
  return { [RECORDS]: await latest(RECORDS), [USES]: await latest(USES) };
}

async function recoverTable(
  { engine, folder, marker, onNote }: Recovery,
  name: keyof TableVersions,
): Promise<void> {
  const safe = marker?.versions[name] ?? 0;
  const moved: MovedVersion[] = [];
  let problem: unknown;
  for (const { version, file } of await listVersions(folder, name)) {
    problem = await findProblem(engine, folder, name);
    if (problem === undefined || version <= safe) break;
    moved.push(await setAside(folder, name, { version, file }));
  }
  if (problem !== undefined) {
    // Not what a power cut does: the store is left as it was found, for whoever looks into it.
    for (const { from, to } of moved) await rename(to, from);
    throw new SlowwaveError("store_damaged", `table ${name} of the store ${folder} is damaged`, {
      cause: problem,
      hint: "Restore a backup with `slowwave restore-backup`.",
    });
  }
  for (const { version, to } of moved) {
    onNote(
      `Version ${version} of table ${name} was cut short when the machine went down, and was set aside as ${to}. Nothing that was reported as saved is lost.`,
    );
  }
}

interface MovedVersion {
  readonly version: number;
  readonly from: string;
  readonly to: string;
}

async function setAside(
  folder: string,
  name: string,
  { version, file }: VersionFile,
): Promise<MovedVersion> {
  const from = join(folder, `${name}.lance`, "_versions", file);
  const to = join(folder, DAMAGED, `${name}-${version}.manifest`);
  await mkdir(join(folder, DAMAGED), { recursive: true });
  await rename(from, to);
  return { version, from, to };
}

/**
 * What stands in the way of reading the latest version whole, if anything. Only reading tells: a table whose data file was cut short
 * still opens and counts. A connection of its own, or LanceDB would answer from its caches.
 */
async function findProblem(
  engine: Engine,
  folder: string,
  name: string,
): Promise<unknown | undefined> {
  const connection = await connectTo(engine, folder);
  try {
    const table = await connection.openTable(name);
    await readAll(table);
    for (const { name: index } of await table.listIndices()) await table.prewarmIndex(index);
    return undefined;
  } catch (error) {
    return error;
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

interface VersionFile {
  readonly version: number;
  readonly file: string;
}

/** LanceDB names a version's file by 2^64 - 1 - version in 20 digits, so that the newest comes first. */
async function listVersions(folder: string, name: string): Promise<readonly VersionFile[]> {
  const files = await listFiles(join(folder, `${name}.lance`, "_versions"));
  return files
    .flatMap((file) => {
      const digits = /^(\d{20})\.manifest$/.exec(file)?.[1];
      return digits === undefined ? [] : { file, version: Number(MAX_U64 - BigInt(digits)) };
    })
    .sort((a, b) => b.version - a.version);
}

const MAX_U64 = 2n ** 64n - 1n;

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}
