import { type RecordEntry, recordKey } from "../../ports/store-rules.ts";
import { writeFenced } from "./commit.ts";
import { ENTRY_COLUMNS, entriesOf } from "./decode.ts";
import { toRow } from "./encode.ts";
import type { Handle } from "./handle.ts";
import { scan } from "./read.ts";
import { retryWhileRefused } from "./retrying.ts";
import { RECORDS, vectorColumn } from "./schema.ts";
import { readTouched } from "./touched-rows.ts";
import { isStale } from "./vector-state.ts";
import { embedTexts } from "./vectors.ts";

/** Memories a commit: what an interrupted pass has done so far is kept. */
const CHUNK = 2_000;

/** The records stay as they are; only their rows' vectors change, under the same fence as any commit. */
export async function reembedMemories(
  handle: Handle,
  onProgress: (done: number, total: number) => void = () => undefined,
): Promise<number> {
  const contents = await scan(handle.records, {
    where: isStale(handle.embedder),
    columns: ENTRY_COLUMNS,
    decode: (batch) => entriesOf(batch).flatMap(contentOf),
  });
  let written = 0;
  for (let start = 0; start < contents.length; start += CHUNK) {
    onProgress(start, contents.length);
    // In turns: each chunk is a commit of its own.
    written += await reembedChunk(handle, new Map(contents.slice(start, start + CHUNK)));
  }
  return written;
}

function contentOf(entry: RecordEntry): [string, string][] {
  return entry.record === "memory" ? [[recordKey("memory", entry.value), entry.value.content]] : [];
}

async function reembedChunk(
  handle: Handle,
  contents: ReadonlyMap<string, string>,
): Promise<number> {
  const { records, embedder, durability, lock } = handle;
  const fresh = await embedTexts(embedder, contents.values());
  const column = vectorColumn(embedder.dimensions);
  return lock.run(() =>
    retryWhileRefused(async () => {
      const { head, rows } = await readTouched(records, [...contents.keys()]);
      const renewed = [...rows].flatMap(([key, { value }]) => {
        if (!("content" in value) || value.content !== contents.get(key)) return [];
        const vector = fresh.get(value.content);
        const vectors = new Map(vector ? [[column, vector]] : []);
        return toRow({ record: "memory", value }, { embedder: embedder.id, vectors });
      });
      if (renewed.length === 0) return 0;
      const { version } = await writeFenced(handle, renewed, { head });
      await durability.sync({ [RECORDS]: version });
      return renewed.length;
    }),
  );
}
