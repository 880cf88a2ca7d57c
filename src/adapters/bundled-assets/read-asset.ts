import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { SlowwaveError } from "../../model/errors.ts";

/** `src/adapters/bundled-assets` and `dist/adapters/bundled-assets` lie equally deep in the package. */
const ASSETS = new URL("../../../assets/", import.meta.url);

/** Absolute path of a file or folder that ships with the package. */
export function assetPath(name: string): string {
  return fileURLToPath(new URL(name, ASSETS));
}

/**
 * A JSON file that ships with the package; `undefined` where there is none of that name.
 * @throws SlowwaveError `config` where it is there and cannot be read: the installation is damaged.
 */
export async function readAsset(name: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(assetPath(name), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw new SlowwaveError("config", `cannot read ${assetPath(name)}, which ships with slowwave`, {
      cause: error,
      hint: "Install the package again.",
    });
  }
}
