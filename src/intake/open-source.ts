import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SlowwaveError } from "../model/errors.ts";
import type { IntakeSource } from "./incoming.ts";
import { unreadable } from "./read-lines.ts";

export interface OpenSource extends IntakeSource {
  /** Removes what was copied. */
  dispose(): Promise<void>;
}

/**
 * A file or folder as it is; a stream, or a pipe that has a path (`<(…)`, `/dev/stdin`), by way of a temporary file, since a source is
 * read more than once and may be larger than memory.
 * @throws SlowwaveError `input` when the path cannot be read, `interrupted`
 */
export async function openSource(
  source: string | Readable,
  signal?: AbortSignal,
): Promise<OpenSource> {
  if (typeof source !== "string") return spool("standard input", source, signal);
  try {
    const found = await stat(source);
    const isFolder = found.isDirectory();
    if (isFolder || found.isFile()) {
      return { name: source, path: source, isFolder, dispose: async () => {} };
    }
  } catch (error) {
    throw unreadable(source, error);
  }
  return spool(source, createReadStream(source), signal);
}

async function spool(
  name: string,
  stream: Readable,
  signal: AbortSignal | undefined,
): Promise<OpenSource> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-import-"));
  const dispose = () => rm(folder, { recursive: true, force: true });
  const file = path.join(folder, "standard-input");
  try {
    const target = createWriteStream(file, { mode: 0o600 });
    await pipeline(stream, target, signal === undefined ? {} : { signal });
  } catch (error) {
    await dispose();
    throw signal?.aborted ? interruptedImport(signal) : unreadable(name, error);
  }
  return { name, path: file, isFolder: false, dispose };
}

export function interruptedImport(signal: AbortSignal): SlowwaveError {
  return new SlowwaveError("interrupted", "the import was interrupted", {
    cause: signal.reason,
    hint: "What was committed stays; import the same file again to take in the rest.",
  });
}
