import type { Table } from "@lancedb/lancedb";
import { SlowwaveError } from "../../model/errors.ts";
import { fieldsOf } from "../../model/json.ts";
import { textColumn } from "./decode.ts";
import { quote } from "./escape.ts";
import { scan } from "./read.ts";
import { SCHEMA_VERSION, STORE_KEYS } from "./schema.ts";

/** What a store says of itself. */
export interface StoreMeta {
  readonly schemaVersion: number;
  readonly storeId: string;
}

/** @throws SlowwaveError `store_newer`, or `store_damaged` where the table is none of ours */
export async function readMeta(uri: string, records: Table): Promise<StoreMeta> {
  const [body] = await scan(records, {
    where: `key = ${quote(STORE_KEYS.meta)}`,
    columns: ["body"],
    decode: (batch) => textColumn(batch, "body"),
  });
  const meta = parse(body ?? "null");
  if (!isMeta(meta)) {
    throw new SlowwaveError("store_damaged", `the table in ${uri} is not a slowwave store`, {
      cause: new Error("it has no row that says which layout and which store it is"),
      hint: "Give the folder of a slowwave store, or a new one.",
    });
  }
  const { schemaVersion } = meta;
  if (schemaVersion <= SCHEMA_VERSION) return meta;
  throw new SlowwaveError(
    "store_newer",
    `the store ${uri} has layout ${schemaVersion}; this slowwave knows layouts up to ${SCHEMA_VERSION}`,
    { hint: "Install a newer slowwave." },
  );
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    // Then it is none of ours either.
    return undefined;
  }
}

function isMeta(value: unknown): value is StoreMeta {
  const { schemaVersion, storeId } = fieldsOf(value);
  return isCount(schemaVersion) && typeof storeId === "string" && storeId !== "";
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0;
}
