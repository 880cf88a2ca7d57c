import { createRequire } from "node:module";
import type * as Lance from "@lancedb/lancedb";
import type * as Arrow from "apache-arrow";

export interface Engine {
  readonly lance: typeof Lance;
  readonly arrow: typeof Arrow;
}

/** How an object store is reached, by LanceDB's names; what is not among them it takes from the environment (`AWS_…` and the like). */
export type StorageOptions = Readonly<Record<string, string>>;

let loading: Promise<Engine> | undefined;

/** Loads LanceDB, 156 MB of native code, when a store is first opened: `--help` never waits for it. */
export function loadEngine(): Promise<Engine> {
  loading ??= load();
  return loading;
}

async function load(): Promise<Engine> {
  // Read once, when the native module starts; unset, LanceDB writes warnings to stderr.
  process.env.LANCEDB_LOG ??= "error";
  const lance = await import("@lancedb/lancedb");
  // LanceDB requires Arrow's CommonJS copy, and a table built with the classes of the ESM copy is refused by it.
  const arrow: typeof Arrow = createRequire(import.meta.url)("apache-arrow");
  return { lance, arrow };
}

/**
 * Every call sees what other processes have committed (`readConsistencyInterval`): that costs a look at the newest version, and spares every
 * caller the question. Without the property, LanceDB makes a folder `__manifest` on connecting, also where it is only to read.
 */
export function connectTo(
  { lance }: Engine,
  uri: string,
  storageOptions: StorageOptions = {},
): Promise<Lance.Connection> {
  return lance.connect(uri, {
    readConsistencyInterval: 0,
    storageOptions: { ...storageOptions },
    namespaceClientProperties: { manifest_enabled: "false" },
  });
}
