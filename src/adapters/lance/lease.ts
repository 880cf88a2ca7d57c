import { z } from "zod";
import { SlowwaveError } from "../../model/errors.ts";
import { instantSchema } from "../../model/instant-schema.ts";
import type { LeaseRequest, LeaseResult } from "../../ports/memory-store.ts";
import { numberColumn, textColumn } from "./decode.ts";
import { quote } from "./escape.ts";
import type { Handle } from "./handle.ts";
import { scan } from "./read.ts";
import { retryWhileRefused } from "./retrying.ts";
import { FREE_LEASE, RECORDS, STORE_KEYS } from "./schema.ts";

const leaseSchema = z
  .object({ holder: z.string(), token: z.string(), until: instantSchema })
  .nullable();

/** One row, taken by compare-and-set: the update finds the row only while it still has the revision that was read. */
export async function acquireLease(handle: Handle, request: LeaseRequest): Promise<LeaseResult> {
  const { holder, token, until } = request;
  for (;;) {
    const row = await readRow(handle);
    const lease = parseLease(row.body);
    const isOthers = lease && lease.token !== token && lease.holder !== request.takeOverFrom;
    if (isOthers && lease.until > request.now) {
      return { ok: false, holder: lease.holder, until: lease.until };
    }
    const next = JSON.stringify({ holder, token, until });
    // Who loses the race reads what the winner wrote, so this ends: each turn someone has got it.
    if (row.body === next || (await replaceBody(handle, row, next))) {
      return lease && lease.token !== token
        ? { ok: true, replaced: { holder: lease.holder, until: lease.until } }
        : { ok: true };
    }
  }
}

export async function releaseLease(handle: Handle, token: string): Promise<boolean> {
  const row = await readRow(handle);
  if (parseLease(row.body)?.token !== token) return false;
  return replaceBody(handle, row, FREE_LEASE);
}

interface LeaseRow {
  readonly body: string;
  readonly revision: number;
}

const LEASE_ROW = `key = ${quote(STORE_KEYS.lease)}`;

async function readRow({ records }: Handle): Promise<LeaseRow> {
  const [row] = await scan(records, {
    where: LEASE_ROW,
    columns: ["body", "revision"],
    decode: (batch) => {
      const revisions = numberColumn(batch, "revision");
      return textColumn(batch, "body").map((body, index) => ({
        body,
        revision: revisions[index] ?? 0,
      }));
    },
  });
  if (row?.body) return { ...row, body: row.body };
  throw new SlowwaveError("store_damaged", "the store has lost the row of its run lease", {
    hint: "Restore a backup.",
  });
}

function parseLease(body: string): z.infer<typeof leaseSchema> {
  return leaseSchema.parse(JSON.parse(body));
}

/** Asked for the body instead, LanceDB would read the bodies of all rows: six seconds with 100,000 memories and their journal. */
async function replaceBody(handle: Handle, seen: LeaseRow, next: string): Promise<boolean> {
  const { rowsUpdated, version } = await retryWhileRefused(() =>
    handle.records.update({
      where: `${LEASE_ROW} AND revision = ${seen.revision}`,
      values: { body: next, revision: seen.revision + 1 },
    }),
  );
  await handle.durability.sync({ [RECORDS]: version });
  return rowsUpdated === 1;
}
