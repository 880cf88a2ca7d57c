import type { Dirent, Stats } from "node:fs";
import { lstat, mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../../model/errors.ts";
import { notePathSegments } from "../../model/note-path.ts";
import { foldCase } from "../../text/normalize.ts";
import { isMissing, isTemporary, syncFolder } from "./durable-file.ts";

/**
 * The absolute path of a note, after looking at every folder on the way: a symlink is refused, wherever it points, and so is a file in
 * place of a folder. `found` is what stands at the path, if anything.
 */
export async function locate(
  root: string,
  notePath: string,
): Promise<{ readonly absolute: string; readonly found: Stats | undefined }> {
  const segments = notePathSegments(notePath);
  let absolute = root;
  let found: Stats | undefined = await lstatIfThere(root);
  for (const [index, segment] of segments.entries()) {
    absolute = path.join(absolute, segment);
    found = await lstatIfThere(absolute);
    if (found === undefined) return { absolute: path.join(root, ...segments), found };
    if (found.isSymbolicLink()) {
      throw refuse(notePath, `${segments.slice(0, index + 1).join("/")} is a symlink`, {
        hint: "Replace the symlink with a folder, or make the folder it points to the vault.",
      });
    }
    if (index < segments.length - 1 && !found.isDirectory()) {
      throw refuse(notePath, `${segments.slice(0, index + 1).join("/")} is not a folder`);
    }
  }
  return { absolute, found };
}

/**
 * Refuses a path of which some part stands there already in another case: on macOS and Windows it would be that file,
 * on Linux a twin that those systems cannot check out. `except` is a note about to be moved to the path.
 */
export async function refuseTwins(root: string, notePath: string, except?: string): Promise<void> {
  const segments = notePathSegments(notePath);
  let folder = root;
  for (const [index, segment] of segments.entries()) {
    const names = await namesIn(folder);
    const twin = names.includes(segment) ? undefined : names.find((name) => isTwin(name, segment));
    const there = [...segments.slice(0, index), twin ?? segment].join("/");
    if (twin !== undefined && there !== except) {
      throw refuse(notePath, `${there} is there and differs in case only`, {
        hint: `Rename ${there} to ${segments.slice(0, index + 1).join("/")}, or to another name.`,
      });
    }
    folder = path.join(folder, segment);
  }
}

/** Another spelling of the name. Old macOS volumes give names back in another Unicode form: that is the name itself. */
function isTwin(name: string, segment: string): boolean {
  return name.normalize("NFC") !== segment.normalize("NFC") && foldCase(name) === foldCase(segment);
}

/** Makes the missing folders above a note, each durable before it is used. The vault itself is never made. */
export async function makeFolders(root: string, notePath: string): Promise<void> {
  let folder = root;
  for (const segment of notePathSegments(notePath).slice(0, -1)) {
    const parent = folder;
    folder = path.join(folder, segment);
    if ((await lstatIfThere(folder)) !== undefined) continue;
    await mkdir(folder);
    await syncFolder(parent);
  }
}

/** Every path below the vault, with `/`, sorted; hidden folders and our temporary files left out, symlinks listed and not followed. */
export async function listPaths(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  // A list of folders still to read, not a recursion of promises: a big vault would use up the file handles.
  const waiting = [""];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await readdir(path.join(root, folder), { withFileTypes: true })) {
      if (!isListed(entry)) continue;
      const below = folder === "" ? entry.name : `${folder}/${entry.name}`;
      found.push(below);
      if (entry.isDirectory()) waiting.push(below);
    }
  }
  return found.sort();
}

function isListed(entry: Dirent): boolean {
  return entry.isDirectory() ? !entry.name.startsWith(".") : !isTemporary(entry.name);
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export async function lstatIfThere(file: string): Promise<Stats | undefined> {
  try {
    return await lstat(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function refuse(
  notePath: string,
  reason: string,
  options?: { readonly hint: string },
): SlowwaveError {
  return new SlowwaveError("vault", `vault: cannot use ${notePath}: ${reason}`, options);
}
