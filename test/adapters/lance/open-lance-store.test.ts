import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { connect } from "@lancedb/lancedb";
import { expect, test } from "vitest";
import type { SlowwaveError } from "../../../src/model/errors.ts";
import { reviseMemory } from "../../../src/model/memory.ts";
import type { MemoryStore } from "../../../src/ports/memory-store.ts";
import { aMemory, aUse, BUILT_AT } from "../../builders.ts";
import { testMemoryStore } from "../../contracts/memory-store.ts";
import { listTree, openStore, tempFolder } from "./temp-store.ts";

testMemoryStore("lance store", async () => {
  const uri = join(await tempFolder(), "store");
  return { store: await openStore({ uri }), reopen: (mode) => openStore({ uri, mode }) };
});

async function failure(work: Promise<unknown>): Promise<SlowwaveError> {
  return work.then(
    () => {
      throw new Error("it did not fail");
    },
    (error: SlowwaveError) => error,
  );
}

function put(store: MemoryStore, id: string, content: string) {
  return store.commit([{ record: "memory", before: null, after: aMemory({ id, content }) }]);
}

test("a store is made with all folders above it, whatever their names", async () => {
  const uri = join(await tempFolder(), "søvn 'n' #1 %20", "日本", "store");
  await put(await openStore({ uri }), "a", "kept");
  expect(await (await openStore({ uri, mode: "read" })).read("memory")).toHaveLength(1);
  expect(await (await openStore({ uri: pathToFileURL(uri).href })).read("memory")).toHaveLength(1);
});

test("opening says what is wrong with a path, and makes nothing there", async () => {
  const folder = await tempFolder();
  await writeFile(join(folder, "file"), "text");
  await mkdir(join(folder, "documents"));
  await writeFile(join(folder, "documents", "letter.txt"), "text");
  await mkdir(join(folder, "empty"));
  const before = await listTree(folder);
  const cases = [
    [{ uri: join(folder, "file") }, /is a file/],
    [{ uri: join(folder, "file", "store") }, /is a file/],
    [{ uri: join(folder, "documents") }, /holds other files \(letter.txt\)/],
    [{ uri: join(folder, "none"), create: false }, /no store in/],
    [{ uri: join(folder, "none"), mode: "read" }, /no store in/],
    [{ uri: join(folder, "empty"), mode: "read" }, /no store in/],
  ] as const;
  for (const [options, message] of cases) {
    const error = await failure(openStore(options));
    expect(error).toMatchObject({
      code: "store_unavailable",
      message: expect.stringMatching(message),
    });
    expect(error.hint).toBeTruthy();
  }
  expect(await listTree(folder)).toEqual(before);
});

test("two openings at once make one store", async () => {
  const uri = join(await tempFolder(), "store");
  const stores = await Promise.all([1, 2, 3].map(() => openStore({ uri })));
  expect(new Set(stores.map(({ storeId }) => storeId)).size).toBe(1);
  await Promise.all(stores.map((store, index) => put(store, `m${index}`, "kept")));
  expect(await stores[0]?.read("memory")).toHaveLength(3);
});

test("a store that was only half made is finished", async () => {
  const uri = join(await tempFolder(), "store");
  await openStore({ uri });
  await rm(join(uri, "records.lance"), { recursive: true });
  await put(await openStore({ uri }), "a", "kept");
  expect(await (await openStore({ uri })).read("memory")).toHaveLength(1);
});

test("a handle for reading writes no byte", async () => {
  const uri = join(await tempFolder(), "store");
  const writer = await openStore({ uri });
  await put(writer, "a", "Maria drinks green tea");
  await writer.recordUses([aUse({ memoryId: "a" })]);
  await writer.close();
  expect(await readdir(uri)).toEqual(["durable.json", "records.lance", "uses.lance"]);
  const before = await listTree(uri);
  const reader = await openStore({ uri, mode: "read" });
  const snapshot = await reader.snapshot();
  await snapshot.vectors([...snapshot.memories, aMemory({ id: "new", content: "unseen" })]);
  for (const text of ["green tea", "緑茶"]) await reader.search({ namespace: "default", text });
  await reader.read("memory", { ids: ["a"] });
  await reader.readUses({ namespace: "default" });
  await reader.close();
  expect(await listTree(uri)).toEqual(before);
});

test("a handle for reading finds words without a full-text index", async () => {
  const uri = join(await tempFolder(), "store");
  await put(await openStore({ uri }), "a", "Maria drinks green tea");
  const table = await (await connect(uri)).openTable("records");
  await table.dropIndex("content_idx");
  const before = await listTree(uri);
  const reader = await openStore({ uri, mode: "read" });
  const [hit] = await reader.search({ namespace: "default", text: "green tea" });
  expect(hit?.textScore).toBeGreaterThan(0);
  expect(await listTree(uri)).toEqual(before);
  await openStore({ uri });
  await table.checkoutLatest();
  expect(await table.listIndices()).toHaveLength(1);
});

test("a store of a newer layout is refused by name", async () => {
  const uri = join(await tempFolder(), "store");
  await put(await openStore({ uri }), "a", "kept");
  const table = await (await connect(uri)).openTable("records");
  const body = JSON.stringify({ schemaVersion: 99, storeId: "s" });
  await table.update({ where: "key = 'meta'", values: { body } });
  const before = await listTree(join(uri, "records.lance"));
  for (const mode of ["read", "write"] as const) {
    const error = await failure(openStore({ uri, mode }));
    expect(error.code).toBe("store_newer");
    expect(error.message).toContain("layout 99");
  }
  expect(await listTree(join(uri, "records.lance"))).toEqual(before);
});

test("a table of someone else's making is refused", async () => {
  const uri = await tempFolder();
  const connection = await connect(uri);
  await connection.createTable("records", [{ key: "a", body: "{}", note: "mine" }]);
  expect((await failure(openStore({ uri }))).code).toBe("store_damaged");
});

test("a record whose body was spoiled is named", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri });
  await put(store, "a", "kept");
  const table = await (await connect(uri)).openTable("records");
  await table.update({ where: "id = 'a'", values: { body: "{spoiled" } });
  const error = await failure(store.snapshot());
  expect(error.code).toBe("store_damaged");
  expect(error.message).toContain('["memory","default","a"]');
});

test("maintenance leaves few fragments and folds new rows into the index", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri });
  for (let index = 0; index < 22; index++) await put(store, `m${index}`, `tea number ${index}`);
  const report = await store.maintain(Date.now());
  expect(report.optimized).toBe(true);
  expect(report.fragments).toBeLessThanOrEqual(2);
  expect(report.bytes).toBeGreaterThan(0);
  const table = await (await connect(uri)).openTable("records");
  expect(await table.indexStats("content_idx")).toMatchObject({ numUnindexedRows: 0 });
  expect(await store.maintain(Date.now())).toMatchObject({ optimized: false });
});

test("maintenance keeps the versions of the last hour, whatever the run's clock says", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri });
  await put(store, "m", "first");
  const snapshot = await store.snapshot();
  for (let index = 0; index < 22; index++) await put(store, `m${index}`, "tea");
  await store.maintain(BUILT_AT + 1e12);
  expect((await snapshot.vectors(snapshot.memories)).rows).toBe(1);
});

test("edits that leave the content alone keep its vector without asking the embedder", async () => {
  const embedded: string[] = [];
  const embedder = {
    id: "counting@1",
    dimensions: 2,
    embed: async (texts: readonly string[]) => {
      embedded.push(...texts);
      return texts.map((text) => Float32Array.of(text.length === 0 ? 0 : 1, 0));
    },
  };
  const store = await openStore({ uri: join(await tempFolder(), "store"), embedder });
  const [tea, blank] = [aMemory({ id: "a", content: "tea" }), aMemory({ id: "b", content: "" })];
  await put(store, tea.id, tea.content);
  await put(store, blank.id, blank.content);
  const edits = [tea, blank].map((before) => ({
    record: "memory" as const,
    before,
    after: reviseMemory(before, { tags: ["edited"] }),
  }));
  expect(await store.commit(edits)).toMatchObject({ ok: true });
  expect(embedded).toEqual(["tea", ""]);
  const snapshot = await store.snapshot();
  expect([...(await snapshot.vectors(snapshot.memories)).data]).toEqual([1, 0, 0, 0]);
  expect(embedded).toEqual(["tea", ""]);
});
