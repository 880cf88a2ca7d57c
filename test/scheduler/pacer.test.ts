import { expect, test } from "vitest";
import { createPacer } from "../../src/scheduler/pacer.ts";
import { createFixedSystem } from "./fixed-system.ts";

test("a pacer lets its number through at once and then waits out the minute", async () => {
  const system = createFixedSystem();
  const pacer = createPacer(2, system);
  const signal = new AbortController().signal;
  await pacer.take(signal);
  system.advance(10_000);
  await pacer.take(signal);
  expect(system.slept).toEqual([]);
  await pacer.take(signal);
  expect(system.slept).toEqual([50_000]);
});

test("a pacer stops waiting when its signal aborts", async () => {
  const stop = new AbortController();
  stop.abort(new Error("stopped"));
  await expect(createPacer(1, createFixedSystem()).take(stop.signal)).rejects.toThrow("stopped");
});
