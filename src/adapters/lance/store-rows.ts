import { toStoreRow } from "./encode.ts";
import { FREE_LEASE, type Row, SCHEMA_VERSION, STORE_KEYS } from "./schema.ts";

/** The rows that make a table a store: what it is, how many commits it has had, and who may run. */
export function storeRows(storeId: string): readonly Row[] {
  return [
    toStoreRow(STORE_KEYS.meta, { body: metaBody(storeId) }),
    toStoreRow(STORE_KEYS.head, { revision: 0 }),
    toStoreRow(STORE_KEYS.lease, { body: FREE_LEASE }),
  ];
}

/** What a store of the present layout says of itself. */
export function metaBody(storeId: string): string {
  return JSON.stringify({ schemaVersion: SCHEMA_VERSION, storeId });
}
