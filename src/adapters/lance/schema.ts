import type { Field, Schema } from "apache-arrow";
import type { Engine } from "./engine.ts";

/** Of the layout below; raised with every change that an older slowwave could not read. `migrate.ts` brings older tables up to it. */
export const SCHEMA_VERSION = 2;
/** Tables from this layout on are read as they are: layout 1 kept all of a record in its body. */
export const OLDEST_READABLE = 1;

export const RECORDS = "records";
export const USES = "uses";

/** Keys of the rows that belong to the store itself. Records have JSON arrays for keys, so these can never be taken. */
export const STORE_KEYS = { meta: "meta", head: "head", lease: "lease" } as const;

/** The body of the lease row while nobody holds it. */
export const FREE_LEASE = "null";

/** One row of `records`. The body is the record; all other columns are there to filter, scan or search by. */
export interface Row {
  readonly key: string;
  readonly record: string;
  readonly namespace: string;
  readonly id: string;
  readonly status: string | null;
  readonly kind: string | null;
  readonly state: string | null;
  /** When it was made, milliseconds. */
  readonly at: number | null;
  /** Memories only: the full-text index covers the whole column. */
  readonly content: string | null;
  readonly tags: readonly string[] | null;
  readonly entities: readonly string[] | null;
  readonly use_count: number | null;
  readonly strength: number | null;
  readonly src: string | null;
  readonly dst: string | null;
  readonly revision: number;
  /** Id of the embedder that made the vector; with a null vector: the content has none. */
  readonly embedder: string | null;
  /** The record as JSON, without a memory's content and without the fields below. */
  readonly body: string;
  readonly steps: string | null;
  readonly changes: string | null;
  readonly paths: string | null;
  /** By column name; a column that is missing here is null. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
}

type ColumnKind = "text" | "texts" | "integer" | "real";
type ScalarName = Exclude<keyof Row, "vectors">;

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly nullable: boolean;
}

const RECORD_COLUMNS: Readonly<Record<ScalarName, readonly [ColumnKind, "null" | "required"]>> = {
  key: ["text", "required"],
  record: ["text", "required"],
  namespace: ["text", "required"],
  id: ["text", "required"],
  status: ["text", "null"],
  kind: ["text", "null"],
  state: ["text", "null"],
  at: ["integer", "null"],
  content: ["text", "null"],
  tags: ["texts", "null"],
  entities: ["texts", "null"],
  use_count: ["integer", "null"],
  strength: ["real", "null"],
  src: ["text", "null"],
  dst: ["text", "null"],
  revision: ["integer", "required"],
  embedder: ["text", "null"],
  body: ["text", "required"],
  steps: ["text", "null"],
  changes: ["text", "null"],
  paths: ["text", "null"],
};

/**
 * Fields that grow with what a run did, each as JSON in the column of its name. Where a page of a column has one text above 32 KiB, LanceDB
 * compresses each of its texts on its own: beside journal entries, the bodies of 380,000 relations took 6.3 s of processor time to read,
 * and without them 0.4 s (measured).
 */
export const LONG_COLUMNS = ["steps", "changes", "paths"] as const;

export const recordColumns: readonly Column[] = Object.entries(RECORD_COLUMNS).map(
  ([name, [kind, nullability]]) => ({ name, kind, nullable: nullability === "null" }),
);

export const useColumns: readonly Column[] = [
  { name: "id", kind: "text", nullable: false },
  { name: "namespace", kind: "text", nullable: false },
  { name: "memory_id", kind: "text", nullable: false },
  { name: "kind", kind: "text", nullable: false },
  { name: "at", kind: "integer", nullable: false },
];

/** A new vector dimension is a new column: rows of another embedder keep theirs. */
export function vectorColumn(dimensions: number): string {
  return `vector_${dimensions}`;
}

/** Names of the vector columns that a table has, with their dimensions. */
export function vectorColumnsOf(schema: Schema): ReadonlyMap<string, number> {
  const names = schema.fields.map(({ name }) => name).filter((name) => /^vector_\d+$/.test(name));
  return new Map(names.map((name) => [name, Number(name.slice("vector_".length))]));
}

export function tableSchema(
  { arrow }: Engine,
  columns: readonly Column[],
  vectors: ReadonlyMap<string, number> = new Map(),
): Schema {
  const types = {
    text: () => new arrow.Utf8(),
    texts: () => new arrow.List(new arrow.Field("item", new arrow.Utf8(), true)),
    integer: () => new arrow.Int64(),
    real: () => new arrow.Float64(),
  };
  const fields: Field[] = columns.map(
    ({ name, kind, nullable }) => new arrow.Field(name, types[kind](), nullable),
  );
  for (const [name, dimensions] of vectors) fields.push(vectorField(arrow, name, dimensions));
  return new arrow.Schema(fields);
}

export function vectorField(arrow: Engine["arrow"], name: string, dimensions: number): Field {
  const item = new arrow.Field("item", new arrow.Float32(), true);
  return new arrow.Field(name, new arrow.FixedSizeList(dimensions, item), true);
}
