import type { Table } from "@lancedb/lancedb";
import type { Memory } from "../../model/memory.ts";
import type { VectorMatrix } from "../../model/vector-matrix.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { Snapshot, StoredRecords } from "../../ports/memory-store.ts";
import { compareById, compareByNamespace, recordKey } from "../../ports/store-rules.ts";
import { ENTRY_COLUMNS, entriesOf, textColumn, vectorColumnOf } from "./decode.ts";
import { translating } from "./errors.ts";
import { isIn, quote } from "./escape.ts";
import type { Handle } from "./handle.ts";
import { readUses } from "./read.ts";
import { readRelations } from "./read-relations.ts";
import { RECORDS, USES, vectorColumn, vectorColumnsOf } from "./schema.ts";
import { embedTexts } from "./vectors.ts";

const KINDS = ["memory", "issue"] as const;

export async function takeSnapshot(handle: Handle): Promise<Snapshot> {
  const records = await pin(handle, RECORDS);
  const uses = await pin(handle, USES);
  // At once: LanceDB reads beside what is decoded here.
  const [{ memory, issue }, relations, allUses] = await Promise.all([
    readKinds(records.table),
    readRelations(records.table),
    readUses(uses.table),
  ]);
  let loading: Promise<StoredVectors> | undefined;
  return {
    storeId: handle.storeId,
    version: { records: records.version, uses: uses.version },
    memories: memory.sort(compareByNamespace),
    relations,
    issues: issue.sort(compareById),
    uses: allUses,
    vectors: (memories) =>
      translating("read the store's vectors", async () => {
        loading ??= loadVectors(records.table, handle.embedder, memory);
        return gatherVectors(await loading, memories, handle.embedder);
      }),
  };
}

/** A handle of its own that stays at the present version, whatever is committed later. */
async function pin(
  { connection, records, uses }: Handle,
  name: typeof RECORDS | typeof USES,
): Promise<{ readonly table: Table; readonly version: number }> {
  const version = await (name === RECORDS ? records : uses).version();
  return { table: await connection.openTable(name, [], { version }), version };
}

type Kinds = { readonly [K in (typeof KINDS)[number]]: StoredRecords[K][] };

async function readKinds(table: Table): Promise<Kinds> {
  const kinds: Kinds = { memory: [], issue: [] };
  const query = table.query().where(isIn("record", KINDS));
  // Batch by batch, so that nothing but the records themselves outlives its batch.
  for await (const batch of query.select([...ENTRY_COLUMNS])) {
    for (const { record, value } of entriesOf(batch)) {
      if (record === "memory") kinds.memory.push(value);
      else if (record === "issue") kinds.issue.push(value);
    }
  }
  return kinds;
}

/** All vectors of the present embedder, one after the other. */
interface StoredVectors {
  readonly data: Float32Array;
  /** Rows of the snapshot's own memories, found without building a key. */
  readonly rowOfMemory: ReadonlyMap<Memory, number | undefined>;
  readonly memoryOfKey: ReadonlyMap<string, Memory>;
}

/** Row of a memory whose content has no vector. */
const BLANK = -1;

async function loadVectors(
  table: Table,
  { id, dimensions }: Embedder,
  memories: readonly Memory[],
): Promise<StoredVectors> {
  const column = vectorColumn(dimensions);
  const data = new Float32Array(memories.length * dimensions);
  const rowOfKey = new Map<string, number>();
  let next = 0;
  const take = (key: string, vector: Float32Array | null): void => {
    rowOfKey.set(key, vector ? next : BLANK);
    if (vector) data.set(vector, next++ * dimensions);
  };
  if (vectorColumnsOf(await table.schema()).has(column)) {
    const query = table
      .query()
      .where(`record = 'memory' AND embedder = ${quote(id)}`)
      .select(["key", column]);
    for await (const batch of query) {
      const keys = textColumn(batch, "key");
      for (const [index, vector] of vectorColumnOf(batch, column).entries()) {
        take(keys[index] ?? "", vector);
      }
    }
  }
  const keyed = memories.map((memory) => [recordKey("memory", memory), memory] as const);
  return {
    data,
    rowOfMemory: new Map(keyed.map(([key, memory]) => [memory, rowOfKey.get(key)])),
    memoryOfKey: new Map(keyed),
  };
}

async function gatherVectors(
  stored: StoredVectors,
  memories: readonly Memory[],
  embedder: Embedder,
): Promise<VectorMatrix> {
  const { dimensions } = embedder;
  const rows = memories.map((memory) => rowFor(stored, memory));
  const missing = memories.filter((_, index) => rows[index] === undefined);
  const computed = await embedTexts(
    embedder,
    missing.map(({ content }) => content),
  );
  const data = new Float32Array(memories.length * dimensions);
  for (const [index, row] of rows.entries()) {
    const vector =
      row === undefined
        ? computed.get(memories[index]?.content ?? "")
        : stored.data.subarray(row * dimensions, (row + 1) * dimensions);
    if (row !== BLANK && vector) data.set(vector, index * dimensions);
  }
  return { rows: memories.length, dimensions, data };
}

/** Undefined: the store has no vector of this embedder for this content. */
function rowFor({ rowOfMemory, memoryOfKey }: StoredVectors, memory: Memory): number | undefined {
  if (rowOfMemory.has(memory)) return rowOfMemory.get(memory);
  const stored = memoryOfKey.get(recordKey("memory", memory));
  return stored?.content === memory.content ? rowOfMemory.get(stored) : undefined;
}
