import { isAscii } from "node:buffer";
import type { Data, RecordBatch, Schema } from "apache-arrow";
import { SlowwaveError } from "../../model/errors.ts";
import type { JournalSteps } from "../../model/run.ts";
import type { Use } from "../../model/use.ts";
import type { RecordEntry } from "../../ports/store-rules.ts";
import { LONG_COLUMNS } from "./schema.ts";

/**
 * Reads columns, never rows: Arrow's row proxies take 2 s for 100,000 rows where this takes 0.3 s.
 */
export function textColumn(batch: RecordBatch, name: string): (string | null)[] {
  return dataOf(batch, name).flatMap((data) => decodeTexts(data));
}

/** Where all is ASCII, as ids and most texts are, the column is decoded in one piece and cut up: half the time of a call for each text. */
function decodeTexts(data: Data): (string | null)[] {
  const bytes = bytesOf(data);
  const offsets: Int32Array = data.valueOffsets;
  const [start = 0, end = 0] = [offsets[0], offsets[data.length]];
  const isPlain = isAscii(bytes.subarray(start, end));
  const whole = isPlain ? bytes.toString("latin1", start, end) : "";
  const texts: (string | null)[] = [];
  for (let index = 0; index < data.length; index++) {
    const [from = 0, to = 0] = [offsets[index], offsets[index + 1]];
    if (data.nullCount > 0 && !data.getValid(index)) texts.push(null);
    else if (isPlain) texts.push(whole.slice(from - start, to - start));
    else texts.push(bytes.toString("utf8", from, to));
  }
  return texts;
}

/** One text of a column, decoded when it is asked for. */
export function textCell(batch: RecordBatch, name: string): (row: number) => string | null {
  // A batch has each column in one piece; only tables have more.
  const [data] = dataOf(batch, name);
  if (data === undefined) return () => null;
  const bytes = bytesOf(data);
  const offsets: Int32Array = data.valueOffsets;
  return (row) =>
    data.getValid(row) ? bytes.toString("utf8", offsets[row], offsets[row + 1]) : null;
}

function bytesOf({ values }: Data): Buffer {
  return Buffer.from(values.buffer, values.byteOffset, values.byteLength);
}

export function numberColumn(batch: RecordBatch, name: string): number[] {
  return dataOf(batch, name).flatMap(({ values }) =>
    values instanceof BigInt64Array ? integersOf(values) : Array.from(values, Number),
  );
}

/** By halves: a `bigint` for each takes longer than reading the column. */
function integersOf(values: BigInt64Array): number[] {
  const halves = new DataView(values.buffer, values.byteOffset, values.byteLength);
  const numbers: number[] = [];
  for (let at = 0; at < values.byteLength; at += 8) {
    numbers.push(halves.getInt32(at + 4, true) * 2 ** 32 + halves.getUint32(at, true));
  }
  return numbers;
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

/** The columns that `entriesOf` needs for records without long fields. */
export const ENTRY_COLUMNS: readonly string[] = ["key", "record", "body", "content"];

/** Those that it needs for all records; a table of layout 1 has them all in the body. */
export function allEntryColumns({ fields }: Schema): readonly string[] {
  const present = new Set(fields.map(({ name }) => name));
  return [...ENTRY_COLUMNS, ...LONG_COLUMNS.filter((name) => present.has(name))];
}

export function entriesOf(batch: RecordBatch): (RecordEntry & { readonly key: string })[] {
  const keys = textColumn(batch, "key");
  const records = textColumn(batch, "record");
  const bodies = textColumn(batch, "body");
  const contents = textColumn(batch, "content");
  const addLongFields = longFieldsOf(batch, LONG_COLUMNS);
  return bodies.map((body, index) => {
    const key = keys[index] ?? "";
    const value = parseObject(body, key);
    if (records[index] === "memory") value.content ??= contents[index];
    addLongFields(value, index, key);
    // What is in the store was checked against the model on its way in.
    return { key, record: records[index], value } as unknown as RecordEntry & { key: string };
  });
}

type Fields = Record<string, unknown>;

/** Puts into a record what the batch's columns of long fields have for its row. */
function longFieldsOf(
  batch: RecordBatch,
  names: readonly string[],
): (value: Fields, row: number, key: string) => void {
  const columns = names
    .filter((name) => batch.getChild(name) !== null)
    .map((name) => ({ name, texts: textColumn(batch, name) }));
  return (value, row, key) => {
    for (const { name, texts } of columns) {
      const text = texts[row] ?? null;
      if (text !== null) value[name] = parseText(text, key);
    }
  };
}

export function parseObject(body: string | null, key: string): Fields {
  // What is in the store was checked against the model on its way in, and every record is an object.
  return parseText(body ?? "", key) as Fields;
}

function parseText(text: string, key: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SlowwaveError("store_damaged", `record ${key} of the store is not valid JSON`, {
      cause,
      hint: "Restore a backup, or undo what changed the store's files.",
    });
  }
}

/** Journal entries up to their changes, which are not read; entries of layout 1 have them in the body. */
export function stepsOf(batch: RecordBatch): JournalSteps[] {
  const keys = textColumn(batch, "key");
  const addSteps = longFieldsOf(batch, ["steps"]);
  return textColumn(batch, "body").map((body, index) => {
    const key = keys[index] ?? "";
    const { changes: _changes, ...entry } = parseObject(body, key);
    addSteps(entry, index, key);
    // As above: checked on the way in.
    return entry as unknown as JournalSteps;
  });
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
