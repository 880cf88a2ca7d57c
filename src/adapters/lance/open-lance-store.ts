import { join } from "node:path";
import type { Embedder } from "../../ports/embedder.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import { readBootId } from "./boot-id.ts";
import { proveConditionalPut } from "./conditional-put.ts";
import { createDurability, type Durability, REMOTE_DURABILITY, readMarker } from "./durable.ts";
import { connectTo, type Engine, loadEngine, type StorageOptions } from "./engine.ts";
import { translating } from "./errors.ts";
import { createLock } from "./lock.ts";
import { recoverStore } from "./recover.ts";
import { RECORDS, USES } from "./schema.ts";
import { localFolder, prepareFolder } from "./store-folder.ts";
import { openTables, openTablesForReading } from "./tables.ts";
import { toMemoryStore } from "./to-memory-store.ts";

export interface OpenLanceStoreOptions {
  /** A folder, `file://…`, or `s3://…`, `db://…` and the like, which go to LanceDB as they are. */
  readonly uri: string;
  readonly embedder: Embedder;
  /** For a store that is no folder: endpoint, region, credentials. @default what the environment says */
  readonly storageOptions?: StorageOptions;
  /** `read` writes no byte, whatever is called. */
  readonly mode: "read" | "write";
  /** Makes the store where there is none, with its folder. @default false */
  readonly create?: boolean;
  /** How long a commit waits for its turn before it relies on the fence alone, milliseconds. @default 10000 */
  readonly lockWaitMs?: number;
  /** Names the machine's present boot. @default what the system says */
  readonly bootId?: string;
  /** Goes back to the newest version that can be read, however old, and begins a table of uses that is beyond that anew. @default false */
  readonly repair?: boolean;
  /** Told what a person should know about the opening: damage that was set aside, an older layout brought up to date. */
  readonly onNote?: (note: string) => void;
}

/**
 * Opens a store kept in LanceDB.
 * @throws SlowwaveError `store_unavailable`, `store_newer`, `store_damaged`
 */
export async function openLanceStore(options: OpenLanceStoreOptions): Promise<MemoryStore> {
  const folder = localFolder(options.uri);
  if (folder !== undefined) await prepareFolder(folder, options);
  return translating(`open the store ${options.uri}`, async () => {
    const engine = await loadEngine();
    return options.mode === "read"
      ? openForReading(options, { folder, engine })
      : openForWriting(options, { folder, engine });
  });
}

interface Place {
  readonly folder: string | undefined;
  readonly engine: Engine;
}

async function openForReading(
  { uri, embedder, storageOptions }: OpenLanceStoreOptions,
  { folder, engine }: Place,
): Promise<MemoryStore> {
  const connection = await connectTo(engine, folder ?? uri, storageOptions);
  const tables = await openTablesForReading(connection, uri);
  const lock = createLock(undefined, 0);
  const parts = { engine, connection, embedder, folder, lock, durability: REMOTE_DURABILITY };
  return toMemoryStore({ ...parts, ...tables }, { uri, writable: false });
}

async function openForWriting(
  options: OpenLanceStoreOptions,
  { folder, engine }: Place,
): Promise<MemoryStore> {
  const { uri, embedder, lockWaitMs = 10_000, create = false, onNote = () => undefined } = options;
  const { repair = false } = options;
  const lock = createLock(folder && join(folder, "commit.lock"), lockWaitMs);
  return lock.runAlone(async () => {
    const durability = folder
      ? await makeDurable({
          folder,
          engine,
          onNote,
          repair,
          bootId: options.bootId ?? (await readBootId()),
        })
      : REMOTE_DURABILITY;
    const connect = () => connectTo(engine, folder ?? uri, options.storageOptions);
    const connection = await connect();
    if (folder === undefined) {
      const endpoint = endpointOf(options.storageOptions);
      await proveConditionalPut({ uri, endpoint, connection, connect });
    }
    const tables = await openTables({
      ...{ engine, connection, embedder, folder, uri, create, repair, onNote },
    });
    if (tables.changed) {
      const { records, uses } = tables;
      await durability.sync({ [RECORDS]: await records.version(), [USES]: await uses.version() });
    }
    const parts = { engine, connection, embedder, folder, lock, durability };
    return toMemoryStore({ ...parts, ...tables }, { uri, writable: true });
  });
}

function endpointOf(options: StorageOptions = {}): string {
  const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL, AWS_ENDPOINT } = process.env;
  const given = Object.entries(options).find(([name]) => /^(?:aws_?)?endpoint/i.test(name));
  return given?.[1] ?? AWS_ENDPOINT_URL_S3 ?? AWS_ENDPOINT_URL ?? AWS_ENDPOINT ?? "";
}

async function makeDurable(place: {
  readonly engine: Engine;
  readonly folder: string;
  readonly bootId: string;
  readonly repair: boolean;
  readonly onNote: (note: string) => void;
}): Promise<Durability> {
  const marker = await readMarker(place.folder);
  const { latest, safe } = await recoverStore({ ...place, marker });
  const durability = await createDurability({ ...place, safe: safe ? latest : undefined });
  // What another process left unsafe is made safe before anything is built on it.
  if (!safe) await durability.sync(latest);
  return durability;
}
