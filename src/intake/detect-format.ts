import { open } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../model/errors.ts";
import type { JsonObject } from "../model/json.ts";
import { isFile, MEMORIES_FILE, RELATIONS_FILE } from "./cortexgraph.ts";
import type { ImportFormat } from "./formats.ts";
import type { IntakeSource } from "./incoming.ts";
import { isNotePath, listNotes } from "./markdown-files.ts";
import { openSource } from "./open-source.ts";
import { isObject, parseObject } from "./parse-line.ts";
import { readLines, unreadable } from "./read-lines.ts";

/** Broken lines and tombstones at the top of a file do not hide what it is. */
const LINES_LOOKED_AT = 200;

/**
 * What a path holds: by name for folders and notes, by its first lines for the rest.
 * @throws SlowwaveError `input` when it cannot be read, holds nothing, or is none of the formats
 */
export async function detectFormat(source: string | IntakeSource): Promise<ImportFormat> {
  if (typeof source !== "string") return detectSource(source);
  const opened = await openSource(source);
  try {
    return await detectSource(opened);
  } finally {
    await opened.dispose();
  }
}

async function detectSource({ name, path: place, isFolder }: IntakeSource): Promise<ImportFormat> {
  if (isFolder) return detectFolder(name, place);
  if (isNotePath(name)) return "markdown";
  if (path.basename(place) === RELATIONS_FILE) return "cortexgraph";
  return detectLines(name, place);
}

async function detectFolder(name: string, folder: string): Promise<ImportFormat> {
  for (const file of [MEMORIES_FILE, RELATIONS_FILE]) {
    if (await isFile(path.join(folder, file))) return "cortexgraph";
  }
  if ((await listNotes(folder)).length > 0) return "markdown";
  throw new SlowwaveError(
    "input",
    `${name}: nothing to import: expected ${MEMORIES_FILE} or Markdown notes in the folder`,
    { hint: "Name the file itself if the folder holds one of another name." },
  );
}

async function detectLines(name: string, file: string): Promise<ImportFormat> {
  await refuseOtherText(name, file);
  const records = await firstRecords(file);
  if (records === undefined) throw nothingToImport(name);
  const [format] = records.flatMap((record) => formatOfRecord(record) ?? []);
  if (format !== undefined) return format;
  if (records.some((record) => record._deleted === true)) return "cortexgraph";
  throw new SlowwaveError("input", `${name}: its first lines are in none of the known formats`, {
    hint: 'Expected one JSON object a line with at least "content"; name the format with --from if it is one.',
  });
}

/** The objects among the first lines; `undefined` where there is no line at all. */
async function firstRecords(file: string): Promise<readonly JsonObject[] | undefined> {
  const records: JsonObject[] = [];
  let looked = 0;
  for await (const line of readLines(file)) {
    looked += 1;
    const parsed = line.kind === "line" ? parseObject(line.text) : undefined;
    if (parsed?.ok) records.push(parsed.value);
    if (looked === LINES_LOOKED_AT) break;
  }
  return looked === 0 ? undefined : records;
}

export function nothingToImport(name: string): SlowwaveError {
  return new SlowwaveError("input", `${name}: nothing to import`, {
    hint: "The file is empty, or holds no memory: check that it is the one you mean.",
  });
}

function formatOfRecord(record: JsonObject): ImportFormat | undefined {
  if (record.type === "entity" && Array.isArray(record.observations)) return "mcp";
  if (record.type === "relation" && Object.hasOwn(record, "relationType")) return "mcp";
  if (Object.hasOwn(record, "from_memory_id")) return "cortexgraph";
  if (record.record === "relation") return "jsonl";
  if (!Object.hasOwn(record, "content")) return undefined;
  return isObject(record.meta) && Object.hasOwn(record, "id") ? "cortexgraph" : "jsonl";
}

/** Says plainly what a file is that people often have instead. */
async function refuseOtherText(name: string, file: string): Promise<void> {
  const head = await readHead(name, file);
  if (head[0] === 0x1f && head[1] === 0x8b) {
    throw new SlowwaveError("input", `${name}: expected text, found a gzip file`, {
      hint: `Unpack it on the way: gunzip -c ${name} | slowwave import -`,
    });
  }
  if ((head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff)) {
    throw new SlowwaveError("input", `${name}: expected UTF-8, found UTF-16`, {
      hint: `Convert it on the way: iconv -f UTF-16 -t UTF-8 ${name} | slowwave import -`,
    });
  }
  if (/^\ufeff?\s*\[/.test(head.toString("utf8"))) {
    throw new SlowwaveError(
      "input",
      `${name}: expected one JSON object a line, found a JSON array`,
      {
        hint: `Take it apart on the way: jq -c '.[]' ${name} | slowwave import -`,
      },
    );
  }
}

async function readHead(name: string, file: string): Promise<Buffer> {
  try {
    await using handle = await open(file, "r");
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
    return buffer.subarray(0, bytesRead);
  } catch (error) {
    throw unreadable(name, error);
  }
}
