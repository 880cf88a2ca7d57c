import { copyFile, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { openLanceStore } from "../../src/adapters/lance/open-lance-store.ts";
import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import { backUpStore, restoreBackup } from "../../src/intake/back-up-store.ts";
import { reviseMemory } from "../../src/model/memory.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { type RealDeps, realDeps } from "../agents/real-deps.ts";
import { aMemory, aUse } from "../builders.ts";
import { fill } from "../scheduler/run-deps.ts";
import { createPromiseRun } from "./promise-runs.ts";
import { NOW, storeContent } from "./stores.ts";

/** What a backup promises. */

let real: RealDeps;
beforeAll(async () => {
  real = await realDeps();
});

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-backup-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function everything(store: MemoryStore) {
  const kinds = ["memory", "relation", "issue", "run", "journal", "outbox"] as const;
  const records = await Promise.all(kinds.map((kind) => store.read(kind)));
  return { records, uses: (await store.snapshot()).uses };
}

test("a backup restored into a new store on disk is that store again, to the letter", async () => {
  const folder = await aFolder();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(storeContent, async (content) => {
      count += 1;
      const store = createMemoryStore({ embedder: real.embedder });
      await runPipeline(await createPromiseRun({ real, store, content }));
      const file = path.join(folder, `backup-${count}.jsonl`);
      const report = await backUpStore({ store, path: file, now: NOW });
      const uri = path.join(folder, `store-${count}`);
      const restored = await openLanceStore({
        ...{ uri, embedder: real.embedder, mode: "write", create: true },
      });
      expect(await restoreBackup({ store: restored, path: file })).toEqual(report);
      expect(await everything(restored)).toEqual(await everything(store));
      await restored.close();
    }),
    { numRuns: 4 },
  );
});

async function aBackup() {
  const file = path.join(await aFolder(), "backup.jsonl");
  const store = createMemoryStore({ embedder: createHashEmbedder() });
  await fill(store, [aMemory({ id: "a" }), aMemory({ id: "b" })]);
  await store.recordUses([aUse({ memoryId: "a" })]);
  await backUpStore({ store, path: file, now: NOW });
  return { file, store, empty: () => createMemoryStore({ embedder: createHashEmbedder() }) };
}

test("a backup that was cut short, changed, or is something else is refused, and nothing restored", async () => {
  const { file, empty } = await aBackup();
  const text = await readFile(file, "utf8");
  const damage: readonly ((target: string) => Promise<void>)[] = [
    (target) => truncate(target, text.length - 10),
    (target) => truncate(target, Math.floor(text.length / 2)),
    (target) => truncate(target, 0),
    (target) => writeFile(target, text.replace('"id":"a"', '"id":"c"')),
    (target) => writeFile(target, "not a backup\n"),
    (target) => rm(target),
  ];
  for (const spoil of damage) {
    const target = `${file}.spoilt`;
    await copyFile(file, target);
    await spoil(target);
    const store = empty();
    await expect(restoreBackup({ store, path: target })).rejects.toMatchObject({ code: "input" });
    expect(await store.read("memory")).toEqual([]);
  }
});

test("a backup is not restored over a store that holds anything else, and finishes its own half", async () => {
  const { file, store, empty } = await aBackup();
  const other = empty();
  await fill(other, [aMemory({ id: "mine" })]);
  await expect(restoreBackup({ store: other, path: file })).rejects.toMatchObject({
    code: "store_conflict",
    hint: expect.stringContaining("--store"),
  });
  expect((await other.read("memory")).map(({ id }) => id)).toEqual(["mine"]);

  const half = empty();
  await fill(half, [aMemory({ id: "a" })]);
  await restoreBackup({ store: half, path: file });
  expect(await everything(half)).toEqual(await everything(store));

  const edited = empty();
  await fill(edited, [reviseMemory(aMemory({ id: "a" }), { content: "Another text" })]);
  await expect(restoreBackup({ store: edited, path: file })).rejects.toMatchObject({
    code: "store_conflict",
  });
});

test("a store that others keep writing to is not backed up half before and half after", async () => {
  const { store } = await aBackup();
  const file = path.join(await aFolder(), "backup.jsonl");
  let writes = 0;
  const restless: MemoryStore = {
    ...store,
    read: async (record, filter) => {
      const found = await store.read(record, filter);
      writes += 1;
      await store.recordUses([aUse({ id: `busy-${writes}` })]);
      return found;
    },
  };
  await expect(backUpStore({ store: restless, path: file, now: NOW })).rejects.toMatchObject({
    code: "store_conflict",
  });
  await expect(readFile(file)).rejects.toMatchObject({ code: "ENOENT" });
});
