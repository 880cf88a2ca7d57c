import type { Table } from "@lancedb/lancedb";
import type { Memory } from "../../model/memory.ts";
import { recordKey } from "../../ports/store-rules.ts";
import { ENTRY_COLUMNS, entriesOf } from "./decode.ts";
import { isIn, LONGEST_LIST } from "./escape.ts";
import { scan } from "./read.ts";

/** Whole memories of a few keys, among those that meet the condition: to parse all of them takes longer than to choose. */
export async function readByKey(
  records: Table,
  { where, keys }: { readonly where: string; readonly keys: readonly string[] },
): Promise<ReadonlyMap<string, Memory>> {
  if (keys.length === 0) return new Map();
  const entries = await scan(records, {
    where: keys.length <= LONGEST_LIST ? `${where} AND ${isIn("key", keys)}` : where,
    columns: ENTRY_COLUMNS,
    decode: entriesOf,
  });
  return new Map(
    entries.flatMap(({ record, value }): [string, Memory][] =>
      record === "memory" ? [[recordKey("memory", value), value]] : [],
    ),
  );
}
