import type { Use } from "../../model/use.ts";
import { checkUses } from "../../ports/check-value.ts";
import { usesToTable } from "./encode.ts";
import type { Handle } from "./handle.ts";
import { retryWhileRefused } from "./retrying.ts";
import { tableSchema, USES, useColumns } from "./schema.ts";

/** Appends the events whose ids are new. The declared key has LanceDB notice two processes that add the same one. */
export async function recordUses(handle: Handle, uses: readonly Use[]): Promise<void> {
  await checkUses(uses);
  if (uses.length === 0) return;
  // Two new rows with one key in a batch would both be inserted.
  const distinct = [...new Map(uses.map((use) => [use.id, use])).values()];
  const { engine, uses: table } = handle;
  const data = usesToTable(engine, tableSchema(engine, useColumns), distinct);
  const version = await retryWhileRefused(async () => {
    const { version } = await table.mergeInsert("id").whenNotMatchedInsertAll().execute(data);
    return version;
  });
  await handle.durability.sync({ [USES]: version });
}
