import { readFile } from "node:fs/promises";
import { SlowwaveError } from "../../model/errors.ts";
import { packagePath } from "../../model/package-path.ts";

/** Absolute path of a file or folder that ships with the package. */
export function assetPath(name: string): string {
  return packagePath("assets", name);
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
