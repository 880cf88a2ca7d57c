import type { Table } from "@lancedb/lancedb";
import { z } from "zod";
import { SlowwaveError } from "../../model/errors.ts";
import { textColumn } from "./decode.ts";
import { quote } from "./escape.ts";
import { scan } from "./read.ts";
import { SCHEMA_VERSION, STORE_KEYS } from "./schema.ts";

const metaSchema = z.object({ schemaVersion: z.int().min(0), storeId: z.string().min(1) });
/** What a store says of itself. */
export type StoreMeta = Readonly<z.infer<typeof metaSchema>>;

/** @throws SlowwaveError `store_newer`, or `store_damaged` where the table is none of ours */
export async function readMeta(uri: string, records: Table): Promise<StoreMeta> {
  const [body] = await scan(records, {
    where: `key = ${quote(STORE_KEYS.meta)}`,
    columns: ["body"],
    decode: (batch) => textColumn(batch, "body"),
  });
  const parsed = metaSchema.safeParse(parse(body ?? "null"));
  if (!parsed.success) {
    throw new SlowwaveError("store_damaged", `the table in ${uri} is not a slowwave store`, {
      cause: parsed.error,
      hint: "Give the folder of a slowwave store, or a new one.",
    });
  }
  const { schemaVersion } = parsed.data;
  if (schemaVersion <= SCHEMA_VERSION) return parsed.data;
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
    // The schema then refuses it, and says what was expected.
    return undefined;
  }
}
