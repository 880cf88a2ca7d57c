import { mkdir, open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../model/errors.ts";
import { MEMORIES_FILE, RELATIONS_FILE } from "./cortexgraph.ts";
import {
  type ExportOptions,
  type ExportPart,
  type ExportReport,
  exportMemories,
} from "./export-memories.ts";

/** Characters gathered before they are written: one system call a line would be slow. */
const CHUNK_CHARACTERS = 1 << 16;

/**
 * Exports to a file, or, for `cortexgraph`, to a folder with `memories.jsonl` and `relations.jsonl`. Files are written beside the target
 * and renamed when complete: an earlier export stays whole until then.
 * @throws SlowwaveError `input` when the place cannot be written
 */
export async function exportToPath({
  path: target,
  ...options
}: Omit<ExportOptions, "write"> & { readonly path: string }): Promise<ExportReport> {
  const files = filesFor(options.format, target);
  const writers = new Map<string, ExportWriter>();
  try {
    for (const file of new Set(Object.values(files))) writers.set(file, await openWriter(file));
    const report = await exportMemories({
      ...options,
      write: (line, part) => writers.get(files[part])?.write(line),
    });
    for (const writer of writers.values()) await writer.finish();
    return report;
  } catch (error) {
    for (const writer of writers.values()) await writer.discard();
    if (error instanceof SlowwaveError) throw error;
    throw new SlowwaveError("input", `${target}: cannot write the export`, {
      cause: error,
      hint: "Check that the folder exists, can be written, and has space.",
    });
  }
}

function filesFor(format: ExportOptions["format"], target: string): Record<ExportPart, string> {
  if (format !== "cortexgraph") return { memories: target, relations: target };
  return {
    memories: path.join(target, MEMORIES_FILE),
    relations: path.join(target, RELATIONS_FILE),
  };
}

interface ExportWriter {
  write(line: string): Promise<void>;
  finish(): Promise<void>;
  discard(): Promise<void>;
}

async function openWriter(file: string): Promise<ExportWriter> {
  const temporary = `${file}.partial`;
  await mkdir(path.dirname(file), { recursive: true });
  // Memories are private: nobody else's to read.
  const handle = await open(temporary, "w", 0o600);
  let text = "";
  const flush = async () => {
    await handle.appendFile(text);
    text = "";
  };
  return {
    async write(line) {
      text += `${line}\n`;
      if (text.length >= CHUNK_CHARACTERS) await flush();
    },
    async finish() {
      await flush();
      await handle.sync();
      await handle.close();
      await rename(temporary, file);
    },
    async discard() {
      // Closing twice is harmless: what was finished is closed already.
      await handle.close();
      await rm(temporary, { force: true });
    },
  };
}
