import type { Data, RecordBatch } from "apache-arrow";
import { SlowwaveError } from "../../model/errors.ts";
import type { JournalSteps } from "../../model/run.ts";
import type { Use } from "../../model/use.ts";
import type { RecordEntry } from "../../ports/store-rules.ts";

/**
 * Reads columns, never rows: Arrow's row proxies take 2 s for 100,000 rows where this takes 0.3 s.
 */
export function textColumn(batch: RecordBatch, name: string): (string | null)[] {
  return dataOf(batch, name).flatMap((data) => decodeTexts(data));
}

function decodeTexts(data: Data): (string | null)[] {
  const bytes = bytesOf(data);
  const offsets: Int32Array = data.valueOffsets;
  return Array.from({ length: data.length }, (_, index) =>
    data.getValid(index) ? bytes.toString("utf8", offsets[index], offsets[index + 1]) : null,
  );
}

function bytesOf({ values }: Data): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

export function numberColumn(batch: RecordBatch, name: string): number[] {
  return dataOf(batch, name).flatMap((data) => Array.from(data.values, Number));
}

/** One vector a row, null where there is none. The arrays are views of the batch: copy what is to be kept. */
export function vectorColumnOf(batch: RecordBatch, name: string): (Float32Array | null)[] {
  return dataOf(batch, name).flatMap((data) => {
    const values: Float32Array = data.children[0]?.values;
    const size = data.length === 0 ? 0 : values.length / data.length;
    return Array.from({ length: data.length }, (_, index) =>
      data.getValid(index) ? values.subarray(index * size, (index + 1) * size) : null,
    );
  });
}

function dataOf(batch: RecordBatch, name: string): readonly Data[] {
  const column = batch.getChild(name);
  if (column) return column.data;
  throw new SlowwaveError("store_damaged", `the store's table has no column ${name}`);
}

/** The columns that `entriesOf` needs. */
export const ENTRY_COLUMNS: readonly string[] = ["key", "record", "body", "content"];

export function entriesOf(batch: RecordBatch): (RecordEntry & { readonly key: string })[] {
  const keys = textColumn(batch, "key");
  const records = textColumn(batch, "record");
  const bodies = textColumn(batch, "body");
  const contents = textColumn(batch, "content");
  return bodies.map((body, index) => {
    const key = keys[index] ?? "";
    const value = parseBody(body, key);
    if (records[index] === "memory") value.content ??= contents[index];
    // What is in the store was checked against the model on its way in.
    return { key, record: records[index], value } as unknown as RecordEntry & { key: string };
  });
}

function parseBody(body: string | null, key: string): Record<string, unknown> {
  try {
    return JSON.parse(body ?? "");
  } catch (cause) {
    throw new SlowwaveError("store_damaged", `record ${key} of the store is not valid JSON`, {
      cause,
      hint: "Restore a backup, or undo what changed the store's files.",
    });
  }
}

/** Journal entries up to their changes, which are neither decoded nor parsed. */
export function stepsOf(batch: RecordBatch): JournalSteps[] {
  const keys = textColumn(batch, "key");
  const bodies = dataOf(batch, "body").flatMap((data) => {
    const [bytes, offsets] = [bytesOf(data), data.valueOffsets as Int32Array];
    return Array.from({ length: data.length }, (_, at) =>
      bytes.subarray(offsets[at] ?? 0, offsets[at + 1] ?? 0),
    );
  });
  return bodies.map((body, index) => {
    const { changes: _changes, ...steps } = parseBody(withoutChanges(body), keys[index] ?? "");
    // As above: checked on the way in.
    return steps as unknown as JournalSteps;
  });
}

/** Inside a JSON text its quotes are escaped, so this can only be the field itself. */
const CHANGES = Buffer.from(',"changes":[');
const REVISION = Buffer.from('],"revision":');

function withoutChanges(body: Buffer): string {
  const [start, end] = [body.indexOf(CHANGES), body.lastIndexOf(REVISION)];
  const isAsWritten = start > 0 && end > start && !body.subarray(end).includes("{");
  if (!isAsWritten) return body.toString("utf8");
  return body.toString("utf8", 0, start) + body.toString("utf8", end + 1);
}

export function usesOf(batch: RecordBatch): Use[] {
  const [ids, namespaces, memoryIds, kinds] = ["id", "namespace", "memory_id", "kind"].map((name) =>
    textColumn(batch, name),
  );
  return numberColumn(batch, "at").map((at, index) => {
    const fields = { id: ids?.[index], namespace: namespaces?.[index] };
    // As above: checked on the way in.
    return { ...fields, memoryId: memoryIds?.[index], kind: kinds?.[index], at } as Use;
  });
}
