import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/** Files below a folder whose content meets a test; a folder that is not there has none. */
export async function filesWhere(
  folder: string,
  isFound: (content: Buffer) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of await listFiles(folder)) {
    // One at a time: a store's files are large.
    if (isFound(await readFile(file))) found.push(file);
  }
  return found.sort();
}

async function listFiles(folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => path.join(parentPath, name));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
