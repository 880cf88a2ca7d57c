import type { Table } from "@lancedb/lancedb";
import type { Engine } from "./engine.ts";

const TEXT_INDEX = "content_idx";

/** LanceDB adds later rows to an index when it optimizes, and searches them flat until then. True where there was none. */
export async function ensureTextIndex({ lance }: Engine, records: Table): Promise<boolean> {
  if (await hasTextIndex(records)) return false;
  // Without positions: no phrase queries, and half the size.
  await records.createIndex("content", {
    name: TEXT_INDEX,
    config: lance.Index.fts({ withPosition: false }),
  });
  return true;
}

export async function hasTextIndex(records: Table): Promise<boolean> {
  return (await records.listIndices()).some(({ name }) => name === TEXT_INDEX);
}

/** Rows that a full-text search has to read one by one. */
export async function unindexedRows(records: Table): Promise<number> {
  return (await records.indexStats(TEXT_INDEX))?.numUnindexedRows ?? 0;
}
