import { join } from "node:path";
import { expect, test } from "vitest";
import { reviseMemory } from "../../../src/model/memory.ts";
import { aMemory } from "../../builders.ts";
import { openStore, tempFolder } from "./temp-store.ts";
import { halfBatches, startWorker } from "./worker-process.ts";

test.each([
  ["taking turns by the lock", 10_000],
  ["kept apart by the fence alone", 0],
])("processes that commit at once lose nothing and double nothing, %s", async (_, lockWaitMs) => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri });
  const batches = 8;
  const workers = ["p", "q"].map((name) => startWorker(uri, name, batches, lockWaitMs));
  const ended = Promise.all(workers.map((worker) => worker.ended));
  let codes: readonly (number | string)[] | undefined;
  void ended.then((result) => {
    codes = result;
  });
  let looks = 0;
  while (codes === undefined) {
    const { memories } = await store.snapshot();
    expect(halfBatches(memories).filter((id) => id !== "counter")).toEqual([]);
    looks += 1;
  }
  expect(codes).toEqual([0, 0]);
  expect(looks).toBeGreaterThan(1);
  const { memories, uses } = await store.snapshot();
  expect(memories).toHaveLength(1 + 2 * 2 * batches);
  expect(new Set(memories.map(({ id }) => id)).size).toBe(memories.length);
  const [counter] = memories;
  expect(counter).toMatchObject({ id: "counter", baseUseCount: 2 * batches - 1 });
  expect(uses.map(({ id }) => id)).toEqual(["own-p", "own-q", "shared"]);
});

test("handles without a lock lose no edit, also while one of them optimizes", async () => {
  const uri = join(await tempFolder(), "store");
  const stores = await Promise.all([1, 2, 3].map(() => openStore({ uri, lockWaitMs: 0 })));
  const [first] = stores;
  // As many fragments as make maintenance optimize.
  for (let index = 0; index < 20; index++) {
    const after = aMemory({ id: `m${index + 1}` });
    await first?.commit([{ record: "memory", before: null, after }]);
  }
  const edits = stores.flatMap((store, writer) =>
    [1, 2, 3, 4].map(async (edit) => {
      for (;;) {
        const [before = aMemory()] = await store.read("memory", { ids: ["m1"] });
        const after = reviseMemory(before, { tags: [...before.tags, `${writer}-${edit}`] });
        if ((await store.commit([{ record: "memory", before, after }])).ok) return;
      }
    }),
  );
  const [report] = await Promise.all([first?.maintain(Date.now()), ...edits]);
  expect(report).toMatchObject({ optimized: true });
  const [memory] = (await first?.read("memory", { ids: ["m1"] })) ?? [];
  expect(memory).toMatchObject({ revision: 13 });
  expect(memory?.tags).toHaveLength(12);
});
