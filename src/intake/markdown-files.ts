import { isUtf8 } from "node:buffer";
import type { Dirent } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { Parsed } from "./parse-line.ts";
import { unreadable } from "./read-lines.ts";

const MAX_NOTE_BYTES = 16 * 1024 * 1024;
const NOTE = /\.(?:md|markdown)$/i;

export interface NoteFile {
  readonly text: string;
  readonly modifiedAt: number;
}

export function isNotePath(file: string): boolean {
  return NOTE.test(file);
}

/**
 * Paths of all notes below a folder, with `/`, sorted. Hidden files and folders (`.obsidian`, `.git`, `.trash`) are left out, and so are
 * linked folders, which may lead back up.
 * @throws SlowwaveError `input` when a folder cannot be read
 */
export async function listNotes(root: string): Promise<readonly string[]> {
  const found: string[] = [];
  const open = [""];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const entry of await entriesOf(path.join(root, folder))) {
      const place = path.posix.join(folder, entry.name);
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) open.push(place);
      else if (isNotePath(entry.name)) found.push(place);
    }
  }
  return found.sort();
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** A note's text without byte order mark, or why it cannot be had: one broken note does not stop the others. */
export async function readNote(file: string): Promise<Parsed<NoteFile>> {
  try {
    const { size, mtimeMs } = await stat(file);
    if (size > MAX_NOTE_BYTES) {
      return {
        ok: false,
        reason: `the note is too long: ${size} bytes, at most ${MAX_NOTE_BYTES}`,
      };
    }
    const bytes = await readFile(file);
    const text = bytes.toString("utf8").replace(/^\ufeff/, "");
    if (isUtf8(bytes)) return { ok: true, value: { text, modifiedAt: Math.round(mtimeMs) } };
    return { ok: false, reason: "the note is not UTF-8" };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { ok: false, reason: `the note cannot be read: ${why}` };
  }
}
