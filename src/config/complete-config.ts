import type { CheckedConfig } from "./config.ts";
import { DEFAULT_CONFIG } from "./default-config.ts";

/** File, environment and flags, one over the other. */
export interface Layered {
  readonly raw: Readonly<Record<string, unknown>>;
  /** Dotted path → what set it, for messages. */
  readonly origins: ReadonlyMap<string, string>;
}

/** What the layers say together, with the defaults filled in; or everything that is wrong with it. */
export interface Completed {
  readonly config?: CheckedConfig;
  readonly problems: readonly string[];
}

/**
 * Most command lines say which store they mean and nothing else: then there is nothing to judge, and the schema, which takes a sixth of
 * a recall's time to load (measured), is not asked.
 */
export async function completeConfig(layered: Layered): Promise<Completed> {
  const config = plainConfig(layered.raw);
  if (config !== undefined) return { config, problems: [] };
  return (await import("./check-config.ts")).checkConfig(layered);
}

function plainConfig(raw: Layered["raw"]): CheckedConfig | undefined {
  const { store, vault, namespace, ...others } = raw;
  if (Object.keys(others).length > 0 || !isText(store)) return undefined;
  if (!isTextOrAbsent(vault) || !isTextOrAbsent(namespace)) return undefined;
  return {
    store,
    ...(vault === undefined ? {} : { vault }),
    ...(namespace === undefined ? {} : { namespace }),
    ...DEFAULT_CONFIG,
  };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}

/** Neither empty nor too long for anything: what is longer the schema decides on. */
function isText(value: unknown): value is string {
  return typeof value === "string" && value.length >= 1 && value.length <= 128;
}
