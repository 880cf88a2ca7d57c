import type { Connection, Table } from "@lancedb/lancedb";
import type { Embedder } from "../../ports/embedder.ts";
import type { Durability } from "./durable.ts";
import type { Engine } from "./engine.ts";
import type { StoreLock } from "./lock.ts";

/** An open store: what every operation of the adapter works on. */
export interface Handle {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly records: Table;
  readonly uses: Table;
  readonly embedder: Embedder;
  readonly storeId: string;
  /** Undefined: not a local folder. */
  readonly folder: string | undefined;
  readonly lock: StoreLock;
  readonly durability: Durability;
}
