import { randomBytes } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";

const TEMPORARY = ".slowwave-tmp-";

/**
 * Replaces a file in one step that a crash or power cut cannot halve: a temporary file beside it (a rename does not cross file
 * systems), fsync, rename, fsync of the folder, then reading it back, since some network drives confirm what they did not keep.
 */
export async function writeDurably(target: string, text: string): Promise<void> {
  const folder = path.dirname(target);
  const prefix = `.${path.basename(target).slice(0, 40)}${TEMPORARY}`;
  await removeLeftovers(folder, prefix);
  const temporary = path.join(folder, `${prefix}${randomBytes(4).toString("hex")}`);
  try {
    await writeNew(temporary, text, await modeOf(target));
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(folder);
  if ((await readFile(target, "utf8")) !== text) {
    throw new Error("the file did not read back as it was written");
  }
}

/** True for the name of a temporary file of ours, left by a crash. */
export function isTemporary(name: string): boolean {
  return name.startsWith(".") && name.includes(TEMPORARY);
}

/** Makes renames and removals in a folder survive a power cut. Windows cannot open folders and orders its own metadata. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function writeNew(file: string, text: string, mode: number | undefined): Promise<void> {
  const handle = await open(file, "wx");
  try {
    // Before the content: what was private stays private at every moment.
    if (mode !== undefined) await handle.chmod(mode);
    await handle.writeFile(text, "utf8");
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function modeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** One writer at a time holds the run lease, so a temporary file of the same target is one that a crash left. */
async function removeLeftovers(folder: string, prefix: string): Promise<void> {
  const names = await readdir(folder);
  await Promise.all(
    names
      .filter((name) => name.startsWith(prefix))
      .map((name) => rm(path.join(folder, name), { force: true })),
  );
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === "ENOENT";
}

/** The system's code of a file error (`EACCES`, …). */
export function errorCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
