import { SlowwaveError } from "../model/errors.ts";
import { toIso } from "../model/instant.ts";
import type { LeaseHolder, LeaseRequest, MemoryStore } from "../ports/memory-store.ts";
import type { System } from "../ports/system.ts";

/** A holder that is silent for so long is taken to be gone, where its process cannot be looked up (another host). */
const LEASE_MS = 15 * 60_000;
/** Several chances before the lease runs out, also where a renewal fails or the process is busy computing. */
const HEARTBEAT_MS = 4 * 60_000;
/** Clocks of machines that share a store differ by so much at most. */
const CLOCK_GRACE_MS = 5 * 60_000;

export interface RunLease {
  /** Extends the lease; throws `busy` where someone took it over meanwhile. */
  renew(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * One run at a time on a store. The lease is renewed by itself for as long as it is held. A lease whose holder has died on this host is
 * taken over at once, one of another host when it has run out; `takenOver` says from whom and why, for the run's record.
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
  const hold = (): RunLease => holdLease(store, { token, request, system });
  if (first.ok) return { lease: hold(), ...takenOver(first.replaced, system) };
  if (system.isAlive(first.holder) !== "dead") throw busy(first, system);
  const second = await store.acquireLease({ ...request(), takeOverFrom: first.holder });
  if (!second.ok) throw busy(second, system);
  return { lease: hold(), ...takenOver(first, system) };
}

function takenOver(from: LeaseHolder | undefined, system: System): { readonly takenOver?: string } {
  if (from === undefined) return {};
  const why =
    system.isAlive(from.holder) === "dead"
      ? "its process has died"
      : `it was silent until its lease ran out at ${toIso(from.until)}`;
  return { takenOver: `lease: taken over from a run that did not end (${from.holder}): ${why}` };
}

function holdLease(
  store: MemoryStore,
  {
    token,
    request,
    system,
  }: {
    readonly token: string;
    readonly request: () => LeaseRequest;
    readonly system: System;
  },
): RunLease {
  let lost: SlowwaveError | undefined;
  const renew = async (): Promise<void> => {
    if (lost !== undefined) throw lost;
    const renewed = await store.acquireLease(request());
    if (renewed.ok) return;
    lost = busy(renewed, system);
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

function busy({ holder, until }: LeaseHolder, system: System): SlowwaveError {
  // No lease is given for longer, so one of two clocks is wrong.
  const isOdd = until > system.wallNow() + LEASE_MS + CLOCK_GRACE_MS;
  return new SlowwaveError("busy", `another run holds the lease until ${toIso(until)}: ${holder}`, {
    hint: isOdd
      ? "That is farther off than a lease lasts: the clock of its machine, or of this one, is wrong."
      : "Wait for it to finish; a run that has died is taken over on its own.",
  });
}
