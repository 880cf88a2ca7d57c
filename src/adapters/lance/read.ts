import type { Table } from "@lancedb/lancedb";
import type { RecordBatch } from "apache-arrow";
import type { Instant } from "../../model/instant.ts";
import type { JournalSteps } from "../../model/run.ts";
import type { Use } from "../../model/use.ts";
import type { RecordFilter, RecordKind, StoredRecords } from "../../ports/memory-store.ts";
import {
  compareByNamespace,
  compareTexts,
  compareUses,
  createMatcher,
} from "../../ports/store-rules.ts";
import { allEntryColumns, ENTRY_COLUMNS, entriesOf, stepsOf, usesOf } from "./decode.ts";
import { isIn, LONGEST_LIST, quote } from "./escape.ts";
import { rowCondition } from "./filter.ts";

export async function readRecords<K extends RecordKind>(
  table: Table,
  record: K,
  filter: RecordFilter = {},
): Promise<readonly StoredRecords[K][]> {
  const entries = await scan(table, {
    where: rowCondition(record, filter),
    columns: HAVE_LONG_FIELDS.has(record) ? allEntryColumns(await table.schema()) : ENTRY_COLUMNS,
    decode: entriesOf,
  });
  // The condition asks for rows of kind K, so these are their values.
  return entries
    .filter(createMatcher(filter))
    .map((entry) => entry.value as StoredRecords[K])
    .sort(compareByNamespace);
}

/** Of all others these columns are empty, and yet take a fifth of the time to decode. */
const HAVE_LONG_FIELDS: ReadonlySet<RecordKind> = new Set(["journal", "outbox"]);

/** A night that linked a large store wrote its links into the journal a second time, and no later run has use for them there. */
export async function readSteps(table: Table, since: Instant): Promise<readonly JournalSteps[]> {
  const where = rowCondition("journal", { since, state: ["applied"] });
  const columns = allEntryColumns(await table.schema()).filter((name) => name !== "changes");
  const found = await scan(table, { where, columns, decode: stepsOf });
  return found.sort((a, b) => compareTexts([a.id], [b.id]));
}

export async function readUses(
  table: Table,
  filter: { readonly namespace?: string; readonly memoryIds?: readonly string[] } = {},
): Promise<readonly Use[]> {
  const { namespace, memoryIds } = filter;
  const terms: string[] = [];
  if (namespace !== undefined) terms.push(`namespace = ${quote(namespace)}`);
  if (memoryIds && memoryIds.length <= LONGEST_LIST) terms.push(isIn("memory_id", memoryIds));
  const uses = await scan(table, { where: terms.join(" AND "), decode: usesOf });
  const wanted = memoryIds && new Set(memoryIds);
  return uses.filter((use) => !wanted || wanted.has(use.memoryId)).sort(compareUses);
}

/** Everything of a table that meets the condition (`""`: all), batch by batch. */
export async function scan<T>(
  table: Table,
  {
    where = "",
    columns,
    decode,
  }: {
    readonly where?: string;
    readonly columns?: readonly string[];
    readonly decode: (batch: RecordBatch) => readonly T[];
  },
): Promise<T[]> {
  const query = table.query();
  if (where !== "") query.where(where);
  if (columns) query.select([...columns]);
  const found: T[] = [];
  for await (const batch of query) for (const item of decode(batch)) found.push(item);
  return found;
}
