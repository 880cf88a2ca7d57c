import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { exportToPath } from "../../src/intake/export-to-path.ts";
import type { Memory } from "../../src/model/memory.ts";
import type { Relation } from "../../src/model/relation.ts";
import type { MemoryStore } from "../../src/ports/memory-store.ts";
import { aMemory, aRelation, aUse, BUILT_AT } from "../builders.ts";
import { aFolder, aStore, change, exportLines, importPath, memoryOf, NOW } from "./import-text.ts";

async function storeWith(
  memories: readonly Memory[],
  relations: readonly Relation[] = [],
): Promise<MemoryStore> {
  const store = aStore();
  await store.commit([
    ...memories.map((after) => ({ record: "memory", before: null, after }) as const),
    ...relations.map((after) => ({ record: "relation", before: null, after }) as const),
  ]);
  return store;
}

async function recordsOf(...args: Parameters<typeof exportLines>) {
  return (await exportLines(...args)).map(({ line }) => JSON.parse(line));
}

const archived = (archivedReason: NonNullable<Memory["archivedReason"]>) =>
  ({ status: "archived", archivedReason, archivedAt: NOW }) as const;

test.each(["jsonl", "cortexgraph"] as const)(
  "exportMemories as %s writes of what was deleted or forgotten the fact alone, and of what was undone nothing",
  async (format) => {
    const store = await storeWith(
      [
        aMemory({ id: "a", content: "kept" }),
        aMemory({ id: "b", content: "secret", ...archived("forgotten") }),
        aMemory({ id: "c", content: "secret", ...archived("deleted") }),
        aMemory({ id: "d", content: "secret", ...archived("undone") }),
        aMemory({ id: "e", content: "faded", ...archived("decayed") }),
      ],
      [
        aRelation({ id: "r1", from: "a", to: "e" }),
        aRelation({ id: "r2", from: "a", to: "b" }),
        aRelation({ id: "r3", from: "e", to: "a", undone: true }),
      ],
    );
    const lines = await exportLines(store, format);
    expect(lines.map(({ line, part }) => [JSON.parse(line).id, part])).toEqual([
      ["a", "memories"],
      ["e", "memories"],
      ["b", "memories"],
      ["c", "memories"],
      ["r1", "relations"],
    ]);
    expect(lines.some(({ line }) => line.includes("secret"))).toBe(false);
    expect(JSON.parse(lines[2]?.line ?? "")).toEqual({
      id: "b",
      namespace: "default",
      _deleted: true,
    });
  },
);

test("exportMemories carries a deletion into another store, where the memory is forgotten too", async () => {
  const store = await storeWith([aMemory({ id: "a", ...archived("forgotten") })]);
  const folder = aFolder();
  await exportToPath({ store, format: "jsonl", now: NOW, path: path.join(folder, "x.jsonl") });
  const other = await storeWith([aMemory({ id: "a" })]);
  const report = await importPath(path.join(folder, "x.jsonl"), { store: other, from: "jsonl" });
  expect(report).toMatchObject({ updated: 1 });
  expect(await memoryOf(other, "a")).toMatchObject(archived("deleted"));
});

test("exportMemories folds recorded uses in, up to its clock", async () => {
  const store = await storeWith([aMemory({ baseUseCount: 2, baseLastUsedAt: NOW - 9000 })]);
  await store.recordUses([
    aUse({ id: "u1", at: NOW - 3000 }),
    aUse({ id: "u2", at: NOW - 5000, kind: "review" }),
    aUse({ id: "u3", at: NOW + 1 }),
  ]);
  const [plain] = await recordsOf(store, "jsonl");
  expect(plain).toMatchObject({ use_count: 4, last_used: new Date(NOW - 3000).toISOString() });
  const [theirs] = await recordsOf(store, "cortexgraph");
  expect(theirs).toMatchObject({ use_count: 4, last_used: (NOW - 3000) / 1000 });
});

test("exportMemories shows CortexGraph the uses of a merged memory's sources, and the import does not count them twice", async () => {
  const leaf = (id: string) =>
    aMemory({ id, baseUseCount: 3, ...archived("merged"), supersededBy: "m" });
  const store = await storeWith([
    leaf("a"),
    leaf("b"),
    aMemory({ id: "m", leaves: ["a", "b"], baseUseCount: 1 }),
  ]);
  const folder = aFolder();
  await exportToPath({ store, format: "cortexgraph", now: NOW, path: folder });
  const lines = readFileSync(path.join(folder, "memories.jsonl"), "utf8");
  expect(JSON.parse(lines.split("\n")[2] ?? "")).toMatchObject({ id: "m", use_count: 7 });
  const other = aStore();
  await importPath(folder, { store: other });
  expect((await memoryOf(other, "m")).baseUseCount).toBe(1);
  writeFileSync(
    path.join(folder, "memories.jsonl"),
    lines.replace('"use_count":7', '"use_count":9'),
  );
  await importPath(folder, { store: other });
  expect((await memoryOf(other, "m")).baseUseCount).toBe(3);
});

test("exportMemories keeps to one namespace when asked", async () => {
  const store = await storeWith([aMemory(), aMemory({ id: "w", namespace: "work" })]);
  const folder = aFolder();
  const file = path.join(folder, "out.jsonl");
  const report = await exportToPath({
    store,
    format: "jsonl",
    namespace: "work",
    now: NOW,
    path: file,
  });
  expect(report).toEqual({ memories: 1, relations: 0, tombstones: 0 });
  expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ id: "w", namespace: "work" });
});

test("a line of an export that a person edits is taken in, where the store's text stayed as exported", async () => {
  const store = await storeWith([
    aMemory({ id: "a", content: "x" }),
    aMemory({ id: "b", content: "y" }),
  ]);
  const file = path.join(aFolder(), "out.jsonl");
  await exportToPath({ store, format: "jsonl", now: NOW, path: file });
  await change(store, "b", { content: "moved on" });
  const edited = readFileSync(file, "utf8").replace('"x"', '"edited"').replace('"y"', '"edited"');
  writeFileSync(file, edited);
  expect(await importPath(file, { store })).toMatchObject({ updated: 1, quarantined: 1 });
  expect((await memoryOf(store, "a")).content).toBe("edited");
  expect((await memoryOf(store, "b")).content).toBe("moved on");
});

test("exportToPath writes private files, and nothing half done where the store fails", async () => {
  const store = await storeWith([aMemory()]);
  const folder = path.join(aFolder(), "made", "for", "it");
  await exportToPath({ store, format: "cortexgraph", now: NOW, path: folder });
  expect(readdirSync(folder).sort()).toEqual(["memories.jsonl", "relations.jsonl"]);
  expect(statSync(path.join(folder, "memories.jsonl")).mode & 0o077).toBe(0);
  const before = readFileSync(path.join(folder, "memories.jsonl"), "utf8");
  await store.close();
  await expect(
    exportToPath({ store, format: "cortexgraph", now: NOW, path: folder }),
  ).rejects.toMatchObject({ code: "store_unavailable" });
  expect(readdirSync(folder).sort()).toEqual(["memories.jsonl", "relations.jsonl"]);
  expect(readFileSync(path.join(folder, "memories.jsonl"), "utf8")).toBe(before);
});

test("exportToPath says where it cannot write", async () => {
  const file = path.join(aFolder({ blocked: "a file" }), "blocked", "out.jsonl");
  const store = await storeWith([aMemory({ createdAt: BUILT_AT })]);
  await expect(
    exportToPath({ store, format: "jsonl", now: NOW, path: file }),
  ).rejects.toMatchObject({ code: "input", message: expect.stringContaining("out.jsonl") });
  expect(existsSync(file)).toBe(false);
});
