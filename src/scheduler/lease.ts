import { SlowwaveError } from "../model/errors.ts";
import { toIso } from "../model/instant.ts";
import type { LeaseResult, MemoryStore } from "../ports/memory-store.ts";
import type { System } from "../ports/system.ts";

/** A holder that is silent for so long is taken to be gone, where its process cannot be looked up (another host). */
const LEASE_MS = 15 * 60_000;

export interface RunLease {
  /** Extends the lease; throws `busy` where someone took it over meanwhile. */
  renew(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * One run at a time on a store. A lease whose holder has died on this host is taken over at once; `takenOver` names it.
 * @throws SlowwaveError `busy` where a living run holds it.
 */
export async function acquireRunLease(
  store: MemoryStore,
  system: System,
): Promise<{ readonly lease: RunLease; readonly takenOver?: string }> {
  const token = system.randomToken();
  const holder = system.processLabel;
  const request = () => {
    const now = system.wallNow();
    return { holder, token, now, until: now + LEASE_MS };
  };
  const lease: RunLease = {
    renew: async () => {
      const renewed = await store.acquireLease(request());
      if (!renewed.ok) throw busy(renewed);
    },
    [Symbol.asyncDispose]: async () => {
      await store.releaseLease(token);
    },
  };
  const first = await store.acquireLease(request());
  if (first.ok) return { lease };
  if (system.isAlive(first.holder) !== "dead") throw busy(first);
  const second = await store.acquireLease({ ...request(), takeOverFrom: first.holder });
  if (!second.ok) throw busy(second);
  return { lease, takenOver: first.holder };
}

function busy(refusal: Extract<LeaseResult, { ok: false }>): SlowwaveError {
  return new SlowwaveError(
    "busy",
    `another run holds the lease until ${toIso(refusal.until)}: ${refusal.holder}`,
    {
      hint: "Wait for it to finish; a run that has died is taken over on its own.",
    },
  );
}
