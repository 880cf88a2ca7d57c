import { readdir, readFile, rename, rmdir, unlink } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../../model/errors.ts";
import { notePathSegments } from "../../model/note-path.ts";
import type { NoteVault } from "../../ports/note-vault.ts";
import { errorCode, syncFolder, writeDurably } from "./durable-file.ts";
import { listPaths, locate, makeFolders, refuseTwins } from "./vault-files.ts";
import { inspectRoot, resolveRoot } from "./vault-root.ts";

export interface NoteVaultOptions {
  /** The vault's folder. It is never created here. */
  readonly root: string;
  /** Where the store lies, if it is a folder, to refuse one inside the other. */
  readonly storePath?: string;
}

/**
 * A vault of real files.
 * @throws SlowwaveError `config` where vault and store lie inside each other.
 */
export function openNoteVault({ root: folder, storePath }: NoteVaultOptions): NoteVault {
  const root = resolveRoot(folder, storePath);
  const during = <T>(what: string, act: () => Promise<T>): Promise<T> => guarded(root, what, act);
  return {
    state: () => inspectRoot(root),
    paths: () => during("list the vault", () => listPaths(root)),
    read: (notePath) => during(`read ${notePath}`, () => readNote(root, notePath)),
    write: (notePath, text) =>
      during(`write ${notePath}`, () => writeNote(root, { notePath, text })),
    move: (from, to) => during(`move ${from} to ${to}`, () => moveNote(root, { from, to })),
    removeIfUnchanged: (notePath, expected) =>
      during(`remove ${notePath}`, () => removeNote(root, { notePath, expected })),
  };
}

async function guarded<T>(root: string, what: string, act: () => Promise<T>): Promise<T> {
  // A vault that went away would make every note look deleted.
  const state = await inspectRoot(root);
  if (state.kind === "absent") {
    throw new SlowwaveError("vault", `vault: cannot ${what}: ${state.reason}`, {
      hint: "Make the folder, mount its drive, or choose another vault (--vault).",
    });
  }
  try {
    return await act();
  } catch (error) {
    if (error instanceof SlowwaveError) throw error;
    const code = errorCode(error);
    const reason = code === undefined ? String(error) : (CAUSES[code] ?? code);
    throw new SlowwaveError("vault", `vault: cannot ${what} in ${root}: ${reason}`, {
      cause: error,
      hint: "See that the vault's folder can be written by this user and has space left.",
    });
  }
}

const CAUSES: Readonly<Record<string, string>> = {
  EACCES: "permission denied (EACCES)",
  EPERM: "permission denied (EPERM)",
  EROFS: "the file system is read-only (EROFS)",
  ENOSPC: "no space is left (ENOSPC)",
  EISDIR: "a folder has that name (EISDIR)",
  ERR_ENCODING_INVALID_ENCODED_DATA: "it is not UTF-8 text",
};

async function readNote(root: string, notePath: string): Promise<string | undefined> {
  const { absolute, found } = await locate(root, notePath);
  if (found === undefined) return undefined;
  const bytes = await readFile(absolute);
  // Lenient decoding would turn foreign bytes into U+FFFD, and the next write would make that permanent.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}

async function writeNote(
  root: string,
  { notePath, text }: { readonly notePath: string; readonly text: string },
): Promise<void> {
  const { absolute, found } = await locate(root, notePath);
  await refuseTwins(root, notePath);
  if (found?.isFile() && (await readNote(root, notePath)) === text) return;
  await makeFolders(root, notePath);
  await writeDurably(absolute, text);
}

async function moveNote(
  root: string,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const source = await locate(root, from);
  const target = await locate(root, to);
  if (source.found === undefined) throw missing(from);
  await refuseTwins(root, to, from);
  // A change of case alone finds the note itself on macOS and Windows.
  const isItself = target.found?.ino === source.found.ino && target.found.dev === source.found.dev;
  if (target.found !== undefined && !isItself) {
    throw new SlowwaveError("vault", `vault: cannot move ${from} to ${to}: a note is there`, {
      hint: `Rename or remove ${to}.`,
    });
  }
  await makeFolders(root, to);
  await rename(source.absolute, target.absolute);
  await syncFolder(path.dirname(target.absolute));
  await syncFolder(path.dirname(source.absolute));
  await removeEmptyFolders(root, from);
}

async function removeNote(
  root: string,
  { notePath, expected }: { readonly notePath: string; readonly expected: string },
): Promise<boolean> {
  const { absolute, found } = await locate(root, notePath);
  if (found === undefined) return true;
  if ((await readNote(root, notePath)) !== expected) return false;
  await unlink(absolute);
  await syncFolder(path.dirname(absolute));
  await removeEmptyFolders(root, notePath);
  return true;
}

/** Folders above a note that hold nothing any more, innermost first; never the vault itself. */
async function removeEmptyFolders(root: string, notePath: string): Promise<void> {
  const segments = notePathSegments(notePath).slice(0, -1);
  while (segments.length > 0) {
    const folder = path.join(root, ...segments);
    if ((await readdir(folder)).length > 0) return;
    await rmdir(folder);
    await syncFolder(path.dirname(folder));
    segments.length -= 1;
  }
}

function missing(notePath: string): SlowwaveError {
  return new SlowwaveError("vault", `vault: expected a note at ${notePath}, found none`);
}
