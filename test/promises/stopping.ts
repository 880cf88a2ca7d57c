import type { RunDeps } from "../../src/scheduler/run-deps.ts";

/** What a stopped process shows to nobody: every later call of a port fails too, so that no clean-up runs either. */
class Stopped extends Error {}

export interface Stopping {
  readonly deps: RunDeps;
  /** Every write that was begun, in order. */
  readonly writes: readonly string[];
}

const WRITES = {
  store: ["commit", "recordUses", "purge", "acquireLease", "releaseLease", "reembed", "maintain"],
  vault: ["write", "move", "removeIfUnchanged"],
  versionControl: ["commit"],
} as const;

/**
 * The same world, whose process stops in place of its nth write (counted from 0), as by `kill -9`: neither that write nor anything after
 * it happens. Without `at` it only counts.
 */
export function stopping(deps: RunDeps, at = Number.POSITIVE_INFINITY): Stopping {
  const writes: string[] = [];
  const begin = (port: keyof typeof WRITES, method: string | symbol): void => {
    // Also when only reading: a stopped process does not go on.
    if (writes.length > at) throw new Stopped();
    if (!WRITES[port].some((write) => write === method)) return;
    writes.push(`${port}.${String(method)}`);
    if (writes.length > at) throw new Stopped(`stopped at write ${at}`);
  };
  const guard = <T extends object>(port: T, name: keyof typeof WRITES): T =>
    new Proxy(port, {
      get: (target, method) => {
        const value = Reflect.get(target, method);
        if (typeof value !== "function") return value;
        return async (...args: unknown[]) => {
          begin(name, method);
          return await Reflect.apply(value, target, args);
        };
      },
    });
  const { store, vault, versionControl } = deps;
  return {
    writes,
    deps: {
      ...deps,
      store: guard(store, "store"),
      ...(vault ? { vault: guard(vault, "vault") } : {}),
      ...(versionControl ? { versionControl: guard(versionControl, "versionControl") } : {}),
    },
  };
}

/** Does the work until it is stopped; any other failure is one. */
export async function untilStopped(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return false;
  } catch (error) {
    if (isStop(error)) return true;
    throw error;
  }
}

/** Clean-up that fails as well, in the process that is being stopped, wraps the stop: a `SuppressedError`, or a cause. */
function isStop(error: unknown): boolean {
  if (error instanceof Stopped) return true;
  if (!(error instanceof Error)) return false;
  const { error: inner, suppressed } = error as { error?: unknown; suppressed?: unknown };
  return isStop(inner) || isStop(suppressed) || isStop(error.cause);
}
