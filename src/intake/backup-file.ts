import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { z } from "zod";
import { SlowwaveError } from "../model/errors.ts";
import { instantSchema } from "../model/instant-schema.ts";
import type { Use } from "../model/use.ts";
import { useSchema } from "../model/use-schema.ts";
import type { RecordImage } from "../ports/memory-store.ts";

/** Raised whenever an older reader would misread a backup. */
const FORMAT = 1;

export interface BackupContent {
  readonly storeId: string;
  readonly madeAt: number;
  readonly records: readonly RecordImage[];
  readonly uses: readonly Use[];
}

const headSchema = z.object({
  backup: z.int(),
  storeId: z.string(),
  madeAt: instantSchema,
});
const footSchema = z.object({ lines: z.int(), sha256: z.string() });
const recordSchema = z.object({
  record: z.enum(["memory", "relation", "issue", "run", "journal", "outbox"]),
  value: z.looseObject({ id: z.string() }),
});

/**
 * One JSON document a line: a head, every record, every use, and a foot with the hash of all before it. Written beside the target, synced
 * and renamed: an earlier backup stays whole until then. Readable by its owner alone.
 * @throws SlowwaveError `input` when the place cannot be written.
 */
export async function writeBackupFile(path: string, content: BackupContent): Promise<void> {
  const draft = `${path}.new`;
  try {
    const file = await open(draft, "w", 0o600);
    try {
      for (const chunk of chunksOf(content)) await file.write(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await rm(draft, { force: true });
    throw new SlowwaveError("input", `${path}: cannot write the backup`, {
      cause,
      hint: "Check that the folder exists, can be written, and has space.",
    });
  }
}

/** Characters gathered before they are written: one system call a line would be slow. */
const CHUNK_CHARACTERS = 1 << 16;

function* chunksOf({ storeId, madeAt, records, uses }: BackupContent): Generator<string> {
  const hash = createHash("sha256");
  let chunk = "";
  let lines = 0;
  const head = { backup: FORMAT, storeId, madeAt };
  for (const item of [head, ...records, ...uses.map((use) => ({ use }))]) {
    const line = `${JSON.stringify(item)}\n`;
    hash.update(line);
    lines += 1;
    chunk += line;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = "";
  }
  yield `${chunk}${JSON.stringify({ lines, sha256: hash.digest("hex") })}\n`;
}

/**
 * Reads a backup back, and holds it to its hash.
 * @throws SlowwaveError `input` where it is none, was cut short, or is damaged.
 */
export async function readBackupFile(path: string): Promise<BackupContent> {
  const hash = createHash("sha256");
  const items: unknown[] = [];
  let last: string | undefined;
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: 0 })) {
      if (last !== undefined) {
        hash.update(`${last}\n`);
        items.push(JSON.parse(last));
      }
      last = line;
    }
  } catch (cause) {
    throw noBackup(path, "it cannot be read", cause);
  }
  const foot = footSchema.safeParse(parseLine(last));
  if (!foot.success) throw noBackup(path, "it has no end: it was cut short, or is none");
  if (foot.data.lines !== items.length || foot.data.sha256 !== hash.digest("hex")) {
    throw noBackup(path, "it is damaged: its content does not match its hash");
  }
  return contentOf(items, path);
}

function parseLine(line: string | undefined): unknown {
  try {
    return JSON.parse(line ?? "");
  } catch {
    // Not JSON: told apart by the schema, like any other line that is no foot.
    return undefined;
  }
}

function contentOf([first, ...rest]: readonly unknown[], path: string): BackupContent {
  const head = headSchema.safeParse(first);
  if (!head.success) throw noBackup(path, "its first line is no head of a backup");
  if (head.data.backup > FORMAT) {
    throw noBackup(path, `it has format ${head.data.backup}; this version reads ${FORMAT}`);
  }
  const records: RecordImage[] = [];
  const uses: Use[] = [];
  for (const item of rest) {
    const record = recordSchema.safeParse(item);
    // The store checks each value against the model before it takes any.
    if (record.success) records.push(record.data as unknown as RecordImage);
    else uses.push(z.object({ use: useSchema }).parse(item).use);
  }
  const { storeId, madeAt } = head.data;
  return { storeId, madeAt, records, uses };
}

function noBackup(path: string, why: string, cause?: unknown): SlowwaveError {
  return new SlowwaveError("input", `${path}: cannot restore from this file: ${why}`, {
    ...(cause === undefined ? {} : { cause }),
    hint: "`slowwave backup FILE` writes one.",
  });
}
