import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

const ASSETS = path.join(import.meta.dirname, "../../assets");
/** Written by hand. */
const OTHERS = /^(?:demo|manifest\.json)/u;

/** SHA-256 of the assets by path, as `assets/manifest.json` holds them. */
export async function manifestText(): Promise<string> {
  const entries = await readdir(ASSETS, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) =>
      path.relative(ASSETS, path.join(parentPath, name)).split(path.sep).join("/"),
    )
    .filter((file) => !OTHERS.test(file))
    .sort();
  const sums = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(path.join(ASSETS, file));
      return [file, createHash("sha256").update(bytes).digest("hex")] as const;
    }),
  );
  return `${JSON.stringify(Object.fromEntries(sums), null, 1)}\n`;
}
