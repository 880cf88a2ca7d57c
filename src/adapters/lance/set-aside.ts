import { copyFile, link, mkdir, readdir, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hasCode } from "./file-errors.ts";

/** Where damage is kept, below the store's folder. */
export const DAMAGED = "damaged";

export interface VersionFile {
  readonly version: number;
  readonly file: string;
}

/** LanceDB names a version's file by 2^64 - 1 - version in 20 digits. Newest first. */
export async function listVersions(folder: string, name: string): Promise<readonly VersionFile[]> {
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

export interface MovedVersion {
  readonly version: number;
  readonly from: string;
  readonly to: string;
}

/** Takes a version out of a table: only its manifest moves, since its other files may be an older version's too. */
export async function setVersionAside(
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

/** Takes a whole table out of the store. */
export async function setTableAside(folder: string, name: string): Promise<string> {
  const to = await freeName(join(folder, DAMAGED), `${name}-table`);
  await mkdir(dirname(to), { recursive: true });
  await rename(join(folder, `${name}.lance`), to);
  return to;
}

/**
 * A second name for every file of a table, so that nothing of what was set aside is lost when a later clean-up deletes files that no version
 * names. Costs no space until then, where the file system has hard links.
 */
export async function keepFiles(folder: string, name: string): Promise<string> {
  const source = join(folder, `${name}.lance`);
  const target = await freeName(join(folder, DAMAGED), `${name}-files`);
  for (const entry of await readdir(source, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(target, from.slice(source.length));
    await mkdir(dirname(to), { recursive: true });
    await linkOrCopy(from, to);
  }
  return target;
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (!["EPERM", "ENOTSUP", "EXDEV", "EMLINK"].some((code) => hasCode(error, code))) throw error;
    await copyFile(from, to);
  }
}

async function freeName(folder: string, name: string): Promise<string> {
  const names = new Set(await listFiles(folder));
  for (let count = 1; ; count += 1) {
    if (!names.has(`${name}-${count}`)) return join(folder, `${name}-${count}`);
  }
}
