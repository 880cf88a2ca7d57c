import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { hashOf } from "../../model/hash.ts";
import type { VectorCache } from "../../ports/vector-cache.ts";

/** In a folder, one file a vector. */
export function openVectorCache(input: {
  readonly folder: string;
  /** What else a vector depends on: the server and its model. */
  readonly scope: readonly string[];
  readonly dimensions: number;
}): VectorCache {
  const { folder, scope, dimensions } = input;
  const fileOf = (text: string): string => {
    const hash = hashOf([...scope, dimensions, text], 40);
    // Thousands of files in one folder are slow on many a file system.
    return path.join(folder, hash.slice(0, 2), `${hash.slice(2)}.f32`);
  };
  return {
    read: async (text) => {
      const bytes = await readFile(fileOf(text)).catch(absent);
      // A file that was cut short counts as none: the text is asked for again.
      if (bytes?.length !== dimensions * Float32Array.BYTES_PER_ELEMENT) return undefined;
      return Float32Array.from({ length: dimensions }, (_, index) => bytes.readFloatLE(index * 4));
    },
    write: async (text, vector) => {
      const file = fileOf(text);
      const bytes = Buffer.alloc(vector.length * Float32Array.BYTES_PER_ELEMENT);
      for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
      // A vector tells much of its text: for its owner's eyes, like the store.
      await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
      const temporary = `${file}.${process.pid}`;
      await writeFile(temporary, bytes, { mode: 0o600 });
      await rename(temporary, file);
    },
  };
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
