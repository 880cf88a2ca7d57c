import { SlowwaveError } from "../model/errors.ts";
import { toIso } from "../model/instant.ts";
import type { LeaseRequest, LeaseResult, MemoryStore } from "../ports/memory-store.ts";
import type { System } from "../ports/system.ts";

/** A holder that is silent for so long is taken to be gone, where its process cannot be looked up (another host). */
const LEASE_MS = 15 * 60_000;
/** Several chances before the lease runs out, also where a renewal fails or the process is busy computing. */
const HEARTBEAT_MS = 4 * 60_000;

export interface RunLease {
  /** Extends the lease; throws `busy` where someone took it over meanwhile. */
  renew(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * One run at a time on a store. The lease is renewed by itself for as long as it is held. A lease whose holder has died on this host is taken over at once; `takenOver` names it.
 * @throws SlowwaveError `busy` where a living run holds it.
 */
export async function acquireRunLease(
  store: MemoryStore,
  system: System,
): Promise<{ readonly lease: RunLease; readonly takenOver?: string }> {
  const token = system.randomToken();
  const holder = system.processLabel;
  const request = (): LeaseRequest => {
    const now = system.wallNow();
    return { holder, token, now, until: now + LEASE_MS };
  };
  const first = await store.acquireLease(request());
  const hold = (): RunLease => holdLease(store, { token, request });
  if (first.ok) return { lease: hold() };
  if (system.isAlive(first.holder) !== "dead") throw busy(first);
  const second = await store.acquireLease({ ...request(), takeOverFrom: first.holder });
  if (!second.ok) throw busy(second);
  return { lease: hold(), takenOver: first.holder };
}

function holdLease(
  store: MemoryStore,
  { token, request }: { readonly token: string; readonly request: () => LeaseRequest },
): RunLease {
  let lost: SlowwaveError | undefined;
  const renew = async (): Promise<void> => {
    if (lost !== undefined) throw lost;
    const renewed = await store.acquireLease(request());
    if (renewed.ok) return;
    lost = busy(renewed);
    throw lost;
  };
  let beat = Promise.resolve();
  const heart = setInterval(() => {
    // A lease that was lost is kept in mind for the next `renew`; a store that fails says so at the next commit.
    beat = beat.then(renew).catch(() => undefined);
  }, HEARTBEAT_MS).unref();
  return {
    renew,
    [Symbol.asyncDispose]: async () => {
      clearInterval(heart);
      // A renewal still under way would take the lease again after it was given back.
      await beat;
      await store.releaseLease(token);
    },
  };
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
