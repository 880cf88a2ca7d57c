import { createHash, randomBytes } from "node:crypto";
import { mkdir, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { DerivedCache } from "../../ports/derived-cache.ts";

/** Names the layout of the files. */
const MAGIC = Buffer.from("slowwave-derived-1\n");
const HASH_BYTES = 32;
/** Layout: magic, hash of the basis, hash of the content, content. */
const HEADER_BYTES = MAGIC.length + 2 * HASH_BYTES;

/**
 * One file a name in a folder of the store's own. Two runs at once each rename a whole file into place, and the later one stays; a file
 * that was cut short or changed does not match its hash, and counts as none.
 */
export function openFileDerivedCache(options: {
  readonly folder: string;
  /** A store of another folder with the same records may share the files: they are keyed by content. */
  readonly storeId: string;
  readonly onNote: (note: string) => void;
}): DerivedCache {
  const { onNote } = options;
  const folder = path.join(options.folder, shortHash(options.storeId));
  const fileOf = (name: string): string => path.join(folder, `${shortHash(name)}.bin`);
  return {
    read: async (name, basis) => {
      const file = fileOf(name);
      const bytes = await readWhole(file, onNote);
      if (bytes === undefined) return undefined;
      const opened = openBytes(bytes, basis);
      if (opened.kind === "content") return opened.content;
      if (opened.kind === "damaged") {
        onNote(`${file} is damaged: everything is computed anew, and the file made again`);
      }
      return undefined;
    },
    write: async (name, basis, content) => {
      try {
        // What a store's texts are like is for their owner, like the store.
        await mkdir(folder, { recursive: true, mode: 0o700 });
        await removeLeftovers(folder);
        await replace(fileOf(name), [MAGIC, hashOfBytes(basis), hashOfBytes(content), content]);
      } catch (error) {
        onNote(
          `cannot keep results in ${folder}, the next run costs as much as this one: ${error}`,
        );
      }
    },
  };
}

async function readWhole(file: string, onNote: (note: string) => void) {
  try {
    return await readFile(file);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) onNote(`cannot read kept results, everything is computed anew: ${error}`);
    return undefined;
  }
}

type Opened =
  | { readonly kind: "content"; readonly content: Uint8Array }
  | { readonly kind: "damaged" | "other basis" };

function openBytes(bytes: Buffer, basis: string): Opened {
  if (bytes.length < HEADER_BYTES) return { kind: "damaged" };
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) return { kind: "other basis" };
  const basisHash = bytes.subarray(MAGIC.length, MAGIC.length + HASH_BYTES);
  if (!basisHash.equals(hashOfBytes(basis))) return { kind: "other basis" };
  const content = bytes.subarray(HEADER_BYTES);
  const contentHash = bytes.subarray(MAGIC.length + HASH_BYTES, HEADER_BYTES);
  return contentHash.equals(hashOfBytes(content))
    ? { kind: "content", content }
    : { kind: "damaged" };
}

/** What a crash left. A younger file may be another run's, which is about to put it in place. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.includes(TEMPORARY));
  for (const name of names) {
    const file = path.join(folder, name);
    // One at a time: there are none on nearly every night. One that is gone by now was put in place by its run.
    const found = await stat(file).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > LEFTOVER_MS) await rm(file, { force: true });
  }
}

const TEMPORARY = ".bin.";
const LEFTOVER_MS = 3_600_000;

/** A temporary file beside it, fsync, rename: a reader sees the old or the new, whole. */
async function replace(file: string, parts: readonly Uint8Array[]): Promise<void> {
  const temporary = `${file}.${process.pid}-${randomBytes(4).toString("hex")}`;
  try {
    const handle = await open(temporary, "wx", 0o600);
    try {
      await handle.writev([...parts]);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

function hashOfBytes(content: string | Uint8Array): Buffer {
  return createHash("sha256").update(content).digest();
}

function shortHash(name: string): string {
  return hashOfBytes(name).toString("hex").slice(0, 24);
}
