import { constants, realpathSync } from "node:fs";
import { access, readdir, stat } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../../model/errors.ts";
import type { VaultState } from "../../ports/note-vault.ts";
import { errorCode, isMissing } from "./durable-file.ts";

/**
 * The real path of the vault, taken once, so that a symlink put in its place later leads nowhere.
 * @throws SlowwaveError `config` where vault and store share a folder: each would take the other's files for its own.
 */
export function resolveRoot(root: string, storePath: string | undefined): string {
  const vault = realPath(path.resolve(root));
  if (storePath === undefined) return vault;
  const store = realPath(path.resolve(storePath));
  if (!contains(vault, store) && !contains(store, vault)) return vault;
  throw new SlowwaveError(
    "config",
    `vault: expected vault and store in folders apart, got vault ${vault} and store ${store}`,
    { hint: "Choose a store outside the vault (--store), or another vault (--vault)." },
  );
}

/** Looks and asks, and writes nothing: a dry run calls it. What access checks cannot see (a full disk) is found by the write. */
export async function inspectRoot(root: string): Promise<VaultState> {
  try {
    if (!(await stat(root)).isDirectory()) return unusable(root, "is not a folder");
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    return { kind: "ready", root, empty: (await readdir(root)).length === 0 };
  } catch (error) {
    if (isMissing(error)) return { kind: "absent", reason: `there is no folder ${root}` };
    return unusable(root, REASON_OF[errorCode(error) ?? ""] ?? `cannot be read: ${String(error)}`);
  }
}

const REASON_OF: Readonly<Record<string, string>> = {
  EACCES: "is not writable for this user; give it write permission",
  EPERM: "is not writable for this user; give it write permission",
  EROFS: "is on a read-only file system; mount it for writing",
  ENOTDIR: "lies below a file, not a folder",
};

function unusable(root: string, what: string): VaultState {
  return { kind: "unusable", reason: `${root} ${what}` };
}

/** The real path of what exists of `target`, with the rest as it is. */
function realPath(target: string): string {
  try {
    return realpathSync(target);
  } catch (error) {
    const parent = path.dirname(target);
    if (!isMissing(error) || parent === target) return target;
    return path.join(realPath(parent), path.basename(target));
  }
}

function contains(outer: string, inner: string): boolean {
  const relative = path.relative(outer, inner);
  return relative === "" || !(relative.startsWith("..") || path.isAbsolute(relative));
}
