import { appendFile, mkdir, readFile, stat, truncate } from "node:fs/promises";
import path from "node:path";
import { TEACHER_DIMENSIONS } from "./teacher.ts";

const ROW_BYTES = TEACHER_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
/** Rows between two writes: what an interrupted build keeps. */
const CHUNK = 1024;

/**
 * The teacher's vectors of `count` things, kept in a file as they come: the slow part of the build goes on where it was
 * interrupted.
 */
export async function teach(job: {
  readonly file: string;
  readonly count: number;
  readonly encode: (from: number, to: number) => Float32Array;
  readonly onProgress: (done: number) => void;
}): Promise<Float32Array> {
  const { file, count, encode, onProgress } = job;
  await mkdir(path.dirname(file), { recursive: true });
  const size = await stat(file).then(
    (found) => found.size,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return 0;
      throw error;
    },
  );
  let done = Math.floor(size / ROW_BYTES);
  if (size > done * ROW_BYTES) await truncate(file, done * ROW_BYTES);
  while (done < count) {
    const to = Math.min(count, done + CHUNK);
    // In turn: each chunk is appended behind the one before.
    await appendFile(file, new Uint8Array(encode(done, to).buffer));
    done = to;
    onProgress(done);
  }
  const bytes = await readFile(file);
  return new Float32Array(
    bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + count * ROW_BYTES),
  );
}
