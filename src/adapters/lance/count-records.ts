import type { Table } from "@lancedb/lancedb";
import type { MemoryStore, RecordCount } from "../../ports/memory-store.ts";
import { countFacts, filterFacts, isUndone } from "../../ports/store-rules.ts";
import { ENTRY_COLUMNS, entriesOf, textColumn } from "./decode.ts";
import { rowCondition } from "./filter.ts";
import { readRecords, scan } from "./read.ts";

type Ask = Parameters<MemoryStore["count"]>;

/** Stands for what has no UTF-8. */
const REPLACEMENT = "\ufffd";

/** From two columns; only what may be undone is read whole, as no column tells of it. */
export async function countRecords(
  records: Table,
  record: Ask[0],
  filter: Ask[1] = {},
): Promise<readonly RecordCount[]> {
  const where = rowCondition(record, filter);
  const rows = await scan(records, {
    where,
    columns: ["namespace", "status"],
    decode: (batch) => {
      const statuses = textColumn(batch, "status");
      return textColumn(batch, "namespace").map((name, row) => ({
        namespace: name ?? "",
        status: statuses[row] ?? null,
      }));
    },
  });
  // Then the columns tell one namespace from another no longer.
  if (rows.some(({ namespace }) => namespace.includes(REPLACEMENT))) {
    return countWhole(records, record, filter);
  }
  const suspects = await scan(records, {
    where: `${where} AND body LIKE '%"undone"%'`,
    columns: ENTRY_COLUMNS,
    decode: entriesOf,
  });
  return countFacts(rows, suspects.filter(({ value }) => isUndone(value)).map(filterFacts));
}

async function countWhole(
  records: Table,
  record: Ask[0],
  filter: Ask[1],
): Promise<readonly RecordCount[]> {
  const values = await readRecords(records, record, filter);
  const seen = values.filter((value) => !isUndone(value));
  return countFacts(
    seen.map((value) => ({
      namespace: value.namespace,
      status: "status" in value ? value.status : null,
    })),
  );
}
