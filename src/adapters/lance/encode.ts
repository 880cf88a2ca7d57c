import type { Data, Schema, Table } from "apache-arrow";
import { SlowwaveError } from "../../model/errors.ts";
import type { Use } from "../../model/use.ts";
import { filterFacts, namespaceOf, type RecordEntry, recordKey } from "../../ports/store-rules.ts";
import {
  buildTable,
  integerData,
  realData,
  textData,
  textsData,
  vectorData,
} from "./arrow-columns.ts";
import type { Engine } from "./engine.ts";
import {
  type Column,
  LONG_COLUMNS,
  type Row,
  recordColumns,
  useColumns,
  vectorColumnsOf,
} from "./schema.ts";

/** The vector of a row: `embedder` null where none was computed, `vectors` empty where the content has none. */
export type RowVectors = Pick<Row, "embedder" | "vectors">;

export const NO_VECTORS: RowVectors = { embedder: null, vectors: new Map() };

export function toRow(entry: RecordEntry, vectors: RowVectors): Row {
  const { record, value } = entry;
  const { status, kind, state, at, ends } = filterFacts(entry);
  const memory = record === "memory" ? value : undefined;
  return {
    key: recordKey(record, value),
    record,
    namespace: namespaceOf(value),
    id: value.id,
    status,
    kind,
    state,
    at,
    content: memory?.content ?? null,
    tags: memory?.tags ?? null,
    entities: memory?.entities ?? null,
    use_count: memory?.baseUseCount ?? null,
    strength: memory?.strength ?? null,
    src: ends[0] ?? null,
    dst: ends[1] ?? null,
    revision: value.revision,
    ...vectors,
    ...textsOf(entry),
  };
}

type LongFields = Pick<Row, (typeof LONG_COLUMNS)[number]>;

const NO_LONG_FIELDS: LongFields = { steps: null, changes: null, paths: null };

function textsOf({ record, value }: RecordEntry): LongFields & Pick<Row, "body"> {
  switch (record) {
    case "memory":
      return {
        ...NO_LONG_FIELDS,
        body: JSON.stringify(isTorn(value.content) ? value : withoutContent(value)),
      };
    case "journal": {
      const { steps, changes, ...rest } = value;
      const long = { steps: JSON.stringify(steps), changes: JSON.stringify(changes) };
      return { ...NO_LONG_FIELDS, ...long, body: JSON.stringify(rest) };
    }
    case "outbox": {
      const { paths, ...rest } = value;
      return { ...NO_LONG_FIELDS, paths: JSON.stringify(paths), body: JSON.stringify(rest) };
    }
    case "relation":
    case "issue":
    case "run":
      return { ...NO_LONG_FIELDS, body: JSON.stringify(value) };
  }
}

/** A row of the store itself. */
export function toStoreRow(
  key: string,
  { revision = 0, body = "{}" }: { readonly revision?: number; readonly body?: string } = {},
): Row {
  return {
    key,
    record: key,
    namespace: "",
    id: key,
    status: null,
    kind: null,
    state: null,
    at: null,
    content: null,
    tags: null,
    entities: null,
    use_count: null,
    strength: null,
    src: null,
    dst: null,
    revision,
    ...NO_VECTORS,
    ...NO_LONG_FIELDS,
    body,
  };
}

/** Half a surrogate pair has no UTF-8, and would come back as U+FFFD; JSON escapes it, so such a content stays in the body too. */
function isTorn(content: string): boolean {
  return /\p{Surrogate}/u.test(content);
}

function withoutContent(memory: { readonly content: string }): object {
  const { content: _content, ...rest } = memory;
  return rest;
}

/** Rows as an Arrow table of the given schema, which must have the table's columns. */
export function rowsToTable(engine: Engine, schema: Schema, rows: readonly Row[]): Table {
  const { arrow } = engine;
  const vectorNames = vectorColumnsOf(schema);
  const batches = inBatches(rows).map((batch) => [
    ...recordColumns.map((column) => columnData(engine, column, batch)),
    ...[...vectorNames].map(([name, dimensions]) =>
      vectorData(
        arrow,
        dimensions,
        batch.map(({ vectors }) => vectors.get(name) ?? null),
      ),
    ),
  ]);
  return buildTable(arrow, schema, batches);
}

export function usesToTable(engine: Engine, schema: Schema, uses: readonly Use[]): Table {
  const rows = uses.map(({ memoryId, ...use }) => ({ ...use, memory_id: memoryId }));
  return buildTable(engine.arrow, schema, [
    useColumns.map((column) => columnData(engine, column, rows)),
  ]);
}

function columnData({ arrow }: Engine, { name, kind }: Column, rows: readonly object[]): Data {
  // Column lists and row types are declared side by side in schema.ts; a name's kind is its field's type there.
  const values = rows.map((row) => (row as Readonly<Record<string, unknown>>)[name] ?? null);
  switch (kind) {
    case "text":
      return textData(arrow, values as (string | null)[]);
    case "texts":
      return textsData(arrow, values as (readonly string[] | null)[]);
    case "integer":
      return integerData(arrow, values as (number | null)[]);
    case "real":
      return realData(arrow, values as (number | null)[]);
  }
}

const BATCH_ROWS = 10_000;
/** Characters of a batch: Arrow's text offsets are 32 bits of bytes, at most three a character. */
const BATCH_CHARACTERS = 64 * 1024 * 1024;
/** Characters of a table: LanceDB takes it as one buffer, of at most 4 GiB. */
const TABLE_CHARACTERS = 1024 * 1024 * 1024;

function inBatches(rows: readonly Row[]): readonly (readonly Row[])[] {
  const batches: Row[][] = [];
  let characters = 0;
  let total = 0;
  for (const row of rows) {
    const size = charactersOf(row);
    const last = batches.at(-1);
    const fits = last && last.length < BATCH_ROWS && characters + size < BATCH_CHARACTERS;
    if (fits) last.push(row);
    else batches.push([row]);
    characters = fits ? characters + size : size;
    total += size;
  }
  if (total > TABLE_CHARACTERS) {
    throw new SlowwaveError("input", `a batch of ${total} characters is too large for one commit`, {
      hint: "Commit it in parts of less than a thousand million characters.",
    });
  }
  return batches;
}

function charactersOf(row: Row): number {
  const long = LONG_COLUMNS.reduce((sum, name) => sum + (row[name]?.length ?? 0), 0);
  return row.body.length + (row.content?.length ?? 0) + long;
}
