import { type FileHandle, mkdir, open } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../model/errors.ts";
import type { Origin } from "./incoming.ts";

/** Where lines go that could not be taken, so that nothing of a file is lost and the rest can load. */
export interface Quarantine {
  readonly path: string;
  count(): number;
  /** Appends `{file, line, reason, raw}` as one line of JSON. The file is made with the first. */
  add(origin: Origin, reason: string): Promise<void>;
  close(): Promise<void>;
}

export function createQuarantine(file: string): Quarantine {
  let handle: FileHandle | undefined;
  let count = 0;
  return {
    path: file,
    count: () => count,
    async add(origin, reason) {
      handle ??= await openForAppend(file);
      const entry = { file: origin.file, line: origin.line, reason, raw: origin.raw() };
      await handle.appendFile(`${JSON.stringify(entry)}\n`);
      count += 1;
    },
    async close() {
      await handle?.sync();
      await handle?.close();
      handle = undefined;
    },
  };
}

async function openForAppend(file: string): Promise<FileHandle> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    // Memories are private: nobody else's to read.
    return await open(file, "a", 0o600);
  } catch (error) {
    throw new SlowwaveError("input", `${file}: cannot write the quarantine file`, {
      cause: error,
      hint: "Name a place that can be written, or mend the file that is imported.",
    });
  }
}
