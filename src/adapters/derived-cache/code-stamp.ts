import { createHash } from "node:crypto";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";

/**
 * Names the code in these folders and files by names, sizes and times: what was computed by other code is computed anew. A version number
 * would not do, as it stays the same from commit to commit. The files themselves are not read: a stamp takes some 10 ms (measured).
 */
export async function stampCode(places: readonly string[]): Promise<string> {
  const lines = (await Promise.all(places.map(linesOf))).flat();
  return createHash("sha256").update(lines.join("\n")).digest("hex");
}

async function linesOf(place: string): Promise<readonly string[]> {
  const found = await stat(place);
  if (!found.isDirectory()) return [`${path.basename(place)} ${found.size} ${found.mtimeMs}`];
  const names = (await readdir(place)).sort();
  return (await Promise.all(names.map((name) => linesOf(path.join(place, name))))).flat();
}
