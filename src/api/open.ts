import type { ConfigFlags } from "../config/load-config.ts";
import { loadConfig } from "../config/load-config.ts";
import { type Instant, parseInstant } from "../model/instant.ts";
import { DEFAULT_NAMESPACE } from "../model/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { Progress } from "../ports/progress.ts";
import { postSaveHook, type UrgentMemory } from "../scheduler/post-save-hook.ts";
import { openParts, type Parts } from "../wire.ts";
import { type ConsolidationIssues, createConsolidationIssues } from "./consolidation-issues.ts";

/** Every field is optional; what is not given comes from the environment and the configuration file. */
export interface SlowwaveOptions extends ConfigFlags {
  /** A configuration file to read; it must exist. */
  readonly configFile?: string;
  /** Fixes the clock everywhere: a Date, ISO text, or seconds or milliseconds since 1970. @default the machine's clock */
  readonly asOf?: Date | string | number;
  /** Write no byte to store or vault: every writing method then fails. @default false */
  readonly readOnly?: boolean;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Where relative paths start. @default process.cwd() */
  readonly cwd?: string;
  readonly progress?: Progress;
}

/** An open store with everything that works on it. Close it, or declare it with `await using`. */
export interface Slowwave extends AsyncDisposable {
  readonly parts: Parts;
  readonly issues: ConsolidationIssues;
  getStorage(): MemoryStore;
  /**
   * Tells whether a memory just saved is at high risk already. `null`: it is not, or is not there.
   * `remember` calls it; `import` counts all memories at risk at once instead.
   */
  postSaveHook(memoryId: string, namespace?: string): Promise<UrgentMemory | null>;
  close(): Promise<void>;
}

/**
 * Opens a store, making it when it is not there.
 * @throws SlowwaveError `config` listing every problem at once, `store_unavailable`, `store_newer`
 */
export async function open(options: SlowwaveOptions = {}): Promise<Slowwave> {
  const { configFile, asOf, readOnly, env, cwd, progress, ...flags } = options;
  const config = await loadConfig({
    env: env ?? process.env,
    flags,
    ...(configFile === undefined ? {} : { file: configFile }),
    ...(cwd === undefined ? {} : { cwd }),
  });
  const parts = await openParts({
    config,
    mode: readOnly ? "read" : "write",
    ...(asOf === undefined ? {} : { asOf: instantOf(asOf) }),
    ...(progress ? { progress } : {}),
  });
  return slowwaveOf(parts);
}

function instantOf(asOf: Date | string | number): Instant {
  return parseInstant(asOf instanceof Date ? asOf.getTime() : asOf, "asOf");
}

/** The library's face over open parts. */
export function slowwaveOf(parts: Parts): Slowwave {
  const { store, clock, config } = parts;
  const close = () => parts.close();
  return {
    parts,
    issues: createConsolidationIssues(parts, "person:library"),
    getStorage: () => store,
    postSaveHook: async (memoryId, namespace = config.namespace ?? DEFAULT_NAMESPACE) =>
      await postSaveHook({ store, clock, settings: config.settings }, { namespace, id: memoryId }),
    close,
    [Symbol.asyncDispose]: close,
  };
}
