import { access, constants, mkdir, readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { SlowwaveError } from "../../model/errors.ts";
import { hasCode } from "./file-errors.ts";

/** The folder that a URI means; undefined for `s3://…`, `db://…` and the like. */
export function localFolder(uri: string): string | undefined {
  if (/^file:\/\//i.test(uri)) return fileURLToPath(uri);
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(uri) ? undefined : resolve(uri);
}

/**
 * Sees that there is a folder to open. Reading never makes one.
 * @throws SlowwaveError `store_unavailable`
 */
export async function prepareFolder(
  folder: string,
  { mode, create = false }: { readonly mode: "read" | "write"; readonly create?: boolean },
): Promise<void> {
  const names = await listNames(folder);
  const isStore = names?.includes("records.lance") ?? false;
  if (!isStore && (mode === "read" || !create)) throw missing(folder);
  const foreign = names?.filter((name) => !OWN_NAMES.test(name)) ?? [];
  if (!isStore && foreign.length > 0) throw foreignFolder(folder, foreign);
  if (mode === "read") return;
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw unusable(folder, "written to", cause);
  }
}

/** What a store's folder holds, also while it is being made. */
const OWN_NAMES =
  /^(?:.*\.lance|__manifest|commit\.lock|durable\.json.*|damaged|backups|\.DS_Store)$/;

async function listNames(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (cause) {
    if (hasCode(cause, "ENOENT")) return undefined;
    throw unusable(folder, "read", cause);
  }
}

function missing(folder: string): SlowwaveError {
  return new SlowwaveError("store_unavailable", `there is no store in ${folder}`, {
    hint: "Make one with `slowwave init`, or give the folder of another with --store.",
  });
}

function foreignFolder(folder: string, names: readonly string[]): SlowwaveError {
  const message = `${folder} holds other files (${names.slice(0, 3).join(", ")}) and no store`;
  return new SlowwaveError("store_unavailable", message, {
    hint: "Give an empty folder, or one that does not exist yet.",
  });
}

function unusable(folder: string, verb: string, cause: unknown): SlowwaveError {
  const isFile = hasCode(cause, "ENOTDIR") || hasCode(cause, "EEXIST");
  const problem = isFile ? "it, or a part of its path, is a file" : String(cause);
  return new SlowwaveError("store_unavailable", `${folder} cannot be ${verb}: ${problem}`, {
    cause,
    hint: isFile
      ? "A store is a folder: give another path with --store."
      : "Check the folder's permissions, or give another with --store.",
  });
}
