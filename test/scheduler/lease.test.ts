import { expect, onTestFinished, test, vi } from "vitest";
import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import type { System } from "../../src/ports/system.ts";
import { acquireRunLease } from "../../src/scheduler/lease.ts";
import { createFixedSystem } from "./fixed-system.ts";

const MINUTE_MS = 60_000;

/** One store, the system of a holder, and that of a machine which cannot tell whether the holder lives. */
function aStore() {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const holder = createFixedSystem();
  const other: System = {
    ...holder,
    processLabel: "elsewhere|boot|1|1",
    randomToken: () => "other-token",
    isAlive: () => "unknown",
  };
  const pass = async (ms: number): Promise<void> => {
    holder.advance(ms);
    await vi.advanceTimersByTimeAsync(ms);
  };
  return { store: createMemoryStore({ embedder: createHashEmbedder() }), holder, other, pass };
}

test("a lease that is held outlives its term, and is free once it is given back", async () => {
  const { store, holder, other, pass } = aStore();
  const { lease } = await acquireRunLease(store, holder);
  for (let minutes = 0; minutes < 60; minutes += 5) await pass(5 * MINUTE_MS);
  await expect(acquireRunLease(store, other)).rejects.toMatchObject({ code: "busy" });
  await lease[Symbol.asyncDispose]();
  const second = await acquireRunLease(store, other);
  expect(second.takenOver).toBeUndefined();
  await second.lease[Symbol.asyncDispose]();
  expect(vi.getTimerCount()).toBe(0);
});

test("a holder that was silent for the whole term finds its lease lost and does not take it back", async () => {
  const { store, holder, other, pass } = aStore();
  const { lease } = await acquireRunLease(store, holder);
  // The clock goes on while its timers stand still, as in a process that is stopped.
  holder.advance(16 * MINUTE_MS);
  const second = await acquireRunLease(store, other);
  expect(second.takenOver).toMatch(/test-host.*it was silent until its lease ran out at 2026-/);
  await pass(5 * MINUTE_MS);
  await expect(lease.renew()).rejects.toMatchObject({ code: "busy" });
  await second.lease[Symbol.asyncDispose]();
  await expect(lease.renew()).rejects.toMatchObject({ code: "busy" });
  await lease[Symbol.asyncDispose]();
});

test("a renewal that the store refuses does not stop the next one", async () => {
  const { store, holder, other, pass } = aStore();
  let fails = true;
  const flaky = {
    ...store,
    acquireLease: async (request: Parameters<typeof store.acquireLease>[0]) => {
      if (vi.getTimerCount() > 0 && fails) throw new Error("EIO");
      return await store.acquireLease(request);
    },
  };
  const { lease } = await acquireRunLease(flaky, holder);
  await pass(5 * MINUTE_MS);
  fails = false;
  await pass(5 * MINUTE_MS);
  await pass(8 * MINUTE_MS);
  await expect(acquireRunLease(store, other)).rejects.toMatchObject({ code: "busy" });
  await lease[Symbol.asyncDispose]();
});

test("a lease whose holder has died is taken over at once, by name and with the reason", async () => {
  const { store, holder, other } = aStore();
  await acquireRunLease(store, holder);
  const taken = await acquireRunLease(store, { ...other, isAlive: () => "dead" });
  expect(taken.takenOver).toBe(
    `lease: taken over from a run that did not end (${holder.processLabel}): its process has died`,
  );
  await taken.lease[Symbol.asyncDispose]();
});

test("a lease that ends later than any lease can is refused with a word about the clocks", async () => {
  const { store, holder, other } = aStore();
  await acquireRunLease(store, { ...holder, wallNow: () => holder.wallNow() + 86_400_000 });
  await expect(acquireRunLease(store, other)).rejects.toMatchObject({
    code: "busy",
    hint: expect.stringMatching(/clock of its machine, or of this one, is wrong/),
  });
});
