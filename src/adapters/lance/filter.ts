import type { RecordFilter, RecordKind } from "../../ports/memory-store.ts";
import { isIn, LONGEST_LIST, quote } from "./escape.ts";

/**
 * The condition that rows must meet to be looked at. It may let through more than the filter: a list too long for SQL is left out, and
 * text that has no UTF-8 is compared by its replacement. The filter itself decides on what was read.
 */
export function rowCondition(record: RecordKind, filter: RecordFilter): string {
  const terms = [`record = ${quote(record)}`];
  const add = (values: readonly string[] | undefined, ...columns: readonly string[]): void => {
    if (values === undefined || values.length > LONGEST_LIST) return;
    terms.push(`(${columns.map((column) => isIn(column, values)).join(" OR ")})`);
  };
  if (filter.namespace !== undefined) terms.push(`namespace = ${quote(filter.namespace)}`);
  if (filter.since !== undefined) terms.push(`at >= ${filter.since}`);
  if (filter.before !== undefined) terms.push(`at < ${filter.before}`);
  add(filter.ids, "id");
  add(filter.status, "status");
  add(filter.kind, "kind");
  add(filter.state, "state");
  add(filter.touching, "src", "dst");
  return terms.join(" AND ");
}
