import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { reviseMemory } from "../../src/model/memory.ts";
import { openStore, tempFolder } from "../adapters/lance/temp-store.ts";
import { halfBatches, startWorker } from "../adapters/lance/worker-process.ts";
import { aMemory } from "../builders.ts";

const KILLS = 50;

test(`a store whose writer is killed ${KILLS} times opens, shows no half batch and loses nothing confirmed`, {
  timeout: 600_000,
}, async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri });
  const confirmed: string[] = [];
  for (const [round, afterMs] of fc.sample(fc.integer({ min: 0, max: 250 }), KILLS).entries()) {
    const worker = startWorker(uri, `r${round}`, 100_000, 10_000);
    // The clock starts with the first batch: starting a process takes longer than many commits.
    while (worker.confirmed.length === 0 && worker.process.exitCode === null) await wait(5);
    await wait(afterMs);
    worker.process.kill("SIGKILL");
    expect(await worker.ended).toBe("SIGKILL");
    confirmed.push(...worker.confirmed);

    const again = await openStore({ uri });
    const { memories } = await again.snapshot();
    expect(halfBatches(memories).filter((id) => id !== "counter")).toEqual([]);
    const ids = new Set(memories.map(({ id }) => id));
    expect(ids.size).toBe(memories.length);
    expect(confirmed.filter((batch) => !ids.has(`${batch}-a`))).toEqual([]);
    // Each batch counted up once, and the first one made the counter.
    expect(memories.find(({ id }) => id === "counter")?.baseUseCount).toBe((ids.size - 1) / 2 - 1);
    await again.maintain(Date.now());
    await again.close();
  }
  expect(confirmed.length).toBeGreaterThan(KILLS);
  expect((await store.snapshot()).memories.length).toBeGreaterThan(2 * KILLS);
});

test("a writer that is stopped in the middle of commits writes nothing stale when it wakes up", {
  timeout: 600_000,
}, async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, lockWaitMs: 0 });
  const batches = 60;
  const sleeper = startWorker(uri, "sleeper", batches, 0);
  while (sleeper.confirmed.length === 0) await wait(5);
  let edits = 0;
  for (const afterMs of fc.sample(fc.integer({ min: 0, max: 40 }), 200)) {
    if (sleeper.process.exitCode !== null) break;
    await wait(afterMs);
    sleeper.process.kill("SIGSTOP");
    const [before = aMemory()] = await store.read("memory", { ids: ["counter"] });
    const counted = { baseUseCount: before.baseUseCount + 1, tags: [`edit-${afterMs}`] };
    const after = reviseMemory(before, counted);
    const { ok } = await store.commit([{ record: "memory", before, after }]);
    sleeper.process.kill("SIGCONT");
    expect(ok).toBe(true);
    edits += 1;
  }
  expect(await sleeper.ended).toBe(0);
  expect(edits).toBeGreaterThan(10);
  const { memories } = await store.snapshot();
  expect(memories).toHaveLength(1 + 2 * batches);
  expect(memories[0]).toMatchObject({ id: "counter", baseUseCount: batches - 1 + edits });
});
