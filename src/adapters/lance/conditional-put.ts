import { createHash, randomUUID } from "node:crypto";
import type { Connection } from "@lancedb/lancedb";
import { SlowwaveError } from "../../model/errors.ts";
import { quote } from "./escape.ts";
import { findTable } from "./find-table.ts";

/** Writers that race for one version; measured on a server that overlooks the condition, three of four were lost in each of 6 races. */
const RACERS = 6;

/**
 * Two commits of LanceDB are kept apart by an object store's conditional put (`If-None-Match: *`). A server that overlooks the condition
 * acknowledges both and keeps one: every promise of the store would be void there. So it is tried once in each place, by writers that
 * race on a table made for it; that table stays as the proof, under a name that a copy of the store elsewhere does not have.
 * @throws SlowwaveError `store_unavailable`
 */
export async function proveConditionalPut(place: {
  readonly uri: string;
  /** The server, where it is not the cloud that the URI stands for. */
  readonly endpoint: string;
  readonly connection: Connection;
  /** A connection of its own. */
  connect(): Promise<Connection>;
}): Promise<void> {
  const { uri, endpoint, connection, connect } = place;
  // Amazon's S3 and what speaks its language; the others have no such servers, and `s3+ddb` keeps writers apart by a database.
  if (!/^s3:\/\//i.test(uri)) return;
  const mark = createHash("sha256").update(`${endpoint}\n${uri}`).digest("hex").slice(0, 12);
  const name = `conditional_put_${mark}`;
  if (await isProven(connection, name)) return;
  const table = await connection.createTable(name, [{ race: "made" }], { existOk: true });
  const race = randomUUID();
  const racers = await Promise.all(
    Array.from({ length: RACERS }, async () => (await connect()).openTable(name)),
  );
  await Promise.all(racers.map((racer) => racer.add([{ race }])));
  const arrived = await table.countRows(`race = ${quote(race)}`);
  if (arrived === RACERS) {
    await table.add([{ race: PROVEN }]);
    return;
  }
  await connection.dropTable(name);
  throw new SlowwaveError(
    "store_unavailable",
    `the server of ${uri} has no conditional put: ${RACERS} writers at once were all told of success, and ${RACERS - arrived} of their writes are gone`,
    {
      hint: "Use a server that honours `If-None-Match: *` (Amazon S3, MinIO, Cloudflare R2 and others do), s3+ddb://, or a folder.",
    },
  );
}

const PROVEN = "proven";

async function isProven(connection: Connection, name: string): Promise<boolean> {
  const table = await findTable(connection, name);
  return table !== undefined && (await table.countRows(`race = ${quote(PROVEN)}`)) > 0;
}
