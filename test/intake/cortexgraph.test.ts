import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { visibleRelations } from "../../src/ports/relation-columns.ts";
import { aMemory } from "../builders.ts";
import {
  aFolder,
  aStore,
  change,
  importLines,
  importPath,
  memoriesOf,
  memoryOf,
  NOW,
  textOf,
} from "./import-text.ts";

const LINE = {
  id: "a",
  content: "Maria likes tea",
  meta: { tags: ["food"], source: "chat/1", context: "breakfast", extra: {} },
  created_at: 1_700_000_000,
  last_used: 1_700_000_000,
  use_count: 0,
  strength: 1.0,
  status: "active",
  promoted_at: null,
  promoted_to: null,
  embed: null,
  entities: [],
  review_priority: 0.0,
  last_review_at: null,
  review_count: 0,
  cross_domain_count: 0,
};

const RELATION = {
  id: "r1",
  from_memory_id: "a",
  to_memory_id: "b",
  relation_type: "references",
  strength: 0.75,
  created_at: 1_700_000_100,
  metadata: { why: "same talk" },
};

test("importMemories maps a CortexGraph line, and keeps no field that says nothing", async () => {
  const store = aStore();
  expect(await importLines([LINE], { store })).toMatchObject({ format: "cortexgraph", added: 1 });
  expect(await memoryOf(store, "a")).toEqual(
    aMemory({
      id: "a",
      content: "Maria likes tea",
      tags: ["food"],
      source: "chat/1",
      context: "breakfast",
      createdAt: 1_700_000_000_000,
      provenance: [{ agent: "import:cortexgraph", factId: "a", at: NOW }],
      importHash: expect.any(String),
    }),
  );
});

test("importMemories maps use, review and promotion, and keeps what CortexGraph alone knows in extra", async () => {
  const store = aStore();
  const line = {
    ...LINE,
    meta: { ...LINE.meta, extra: { topic: "tea" }, origin: "import" },
    last_used: 1_700_000_500,
    use_count: 7,
    strength: 1.7,
    status: "promoted",
    promoted_at: 1_700_000_400,
    promoted_to: "memories/maria.md",
    embed: [0.5, 0.25],
    entities: ["Maria"],
    review_priority: 0.5,
    last_review_at: 1_700_000_450,
    review_count: 2,
    machine_id: "laptop",
  };
  await importLines([line], { store });
  expect(await memoryOf(store, "a")).toMatchObject({
    baseUseCount: 7,
    baseLastUsedAt: 1_700_000_500_000,
    strength: 1.7,
    status: "promoted",
    promotedAt: 1_700_000_400_000,
    vaultPath: "memories/maria.md",
    entities: ["Maria"],
    lastReviewedAt: 1_700_000_450_000,
    reviewCount: 2,
    extra: {
      machine_id: "laptop",
      review_priority: 0.5,
      meta: { origin: "import", extra: { topic: "tea" } },
    },
  });
  expect((await memoryOf(store, "a")).extra).not.toHaveProperty("embed");
});

test.each(["/home/m/vault/x.md", "C:\\vault\\x.md", "../x.md"])(
  "importMemories does not take %s for a note of this vault",
  async (promoted_to) => {
    const store = aStore();
    await importLines([{ ...LINE, status: "promoted", promoted_to }], { store });
    const memory = await memoryOf(store, "a");
    expect(memory.extra).toEqual({ promoted_to });
    expect(memory).not.toHaveProperty("vaultPath");
  },
);

test("importMemories lets the last line of an id win, and a tombstone delete what came before", async () => {
  const store = aStore();
  const lines = [
    LINE,
    { ...LINE, id: "b", content: "gone" },
    { ...LINE, content: "Maria likes coffee" },
    { id: "b", _deleted: true },
    { id: "c", _deleted: true },
    { ...LINE, id: "c", content: "said again after its deletion" },
  ];
  const report = await importLines(lines, { store });
  expect(report).toMatchObject({ read: 6, added: 2, replaced: 3, unchanged: 1, quarantined: 0 });
  expect((await memoryOf(store, "a")).content).toBe("Maria likes coffee");
  expect((await memoryOf(store, "c")).status).toBe("active");
  expect(await memoryOf(store, "b")).toMatchObject({
    content: "",
    status: "archived",
    archivedReason: "deleted",
  });
  expect(await importLines(lines, { store })).toMatchObject({ added: 0, updated: 0, unchanged: 3 });
});

test("importMemories lets the last good line win where the last one is broken", async () => {
  const store = aStore();
  const report = await importLines([LINE, { ...LINE, content: "x", strength: 5 }], { store });
  expect(report).toMatchObject({ added: 1, quarantined: 1 });
  expect((await memoryOf(store, "a")).content).toBe("Maria likes tea");
});

test("importMemories archives a live memory that was deleted at its source, and an older file does not bring it back", async () => {
  const store = aStore();
  await importLines([LINE], { store });
  const deletion = [{ id: "a", _deleted: true }];
  expect(await importLines(deletion, { store })).toMatchObject({ added: 0, updated: 1 });
  expect(await memoryOf(store, "a")).toMatchObject({
    content: "Maria likes tea",
    status: "archived",
    archivedReason: "deleted",
    archivedAt: NOW,
  });
  expect(await importLines([LINE], { store })).toMatchObject({ updated: 0, unchanged: 1 });
  expect(await importLines([{ ...LINE, content: "new" }], { store })).toMatchObject({
    unchanged: 1,
  });
  expect((await memoryOf(store, "a")).status).toBe("archived");
});

test("importMemories remembers the deletion of a memory it never saw", async () => {
  const store = aStore();
  const report = await importLines([{ id: "a", _deleted: true }], { store });
  expect(report).toMatchObject({ read: 1, added: 0, unchanged: 1 });
  await importLines([LINE], { store });
  expect(await memoryOf(store, "a")).toMatchObject({ content: "", status: "archived" });
});

test("importMemories leaves a source of a merge alone when it was deleted: its words live on in the merged memory", async () => {
  const store = aStore();
  await importLines([LINE], { store });
  const merged = {
    status: "archived",
    archivedReason: "merged",
    supersededBy: "z",
    archivedAt: 1,
  } as const;
  await change(store, "a", merged);
  expect(await importLines([{ id: "a", _deleted: true }], { store })).toMatchObject({
    unchanged: 1,
  });
  expect(await memoryOf(store, "a")).toMatchObject(merged);
});

test("importMemories reads both files of a folder", async () => {
  const store = aStore();
  const folder = aFolder({
    "memories.jsonl": textOf([LINE, { ...LINE, id: "b", content: "John too" }]),
    "relations.jsonl": textOf([RELATION]),
  });
  const report = await importPath(folder, { store });
  expect(report).toMatchObject({ read: 2, added: 2, relations: { added: 1, dropped: 0 } });
  expect(await store.read("relation")).toEqual([
    {
      id: "r1",
      namespace: "default",
      from: "a",
      to: "b",
      type: "references",
      strength: 0.75,
      metadata: { why: "same talk" },
      createdAt: 1_700_000_100_000,
      revision: 1,
    },
  ]);
  expect(await importPath(folder, { store })).toMatchObject({
    unchanged: 2,
    relations: { added: 0, updated: 0, unchanged: 1 },
  });
});

test("importMemories drops a relation to nowhere, says why, and passes over one to a deleted memory", async () => {
  const store = aStore();
  const folder = aFolder({
    "memories.jsonl": textOf([LINE, { ...LINE, id: "b" }, { id: "b", _deleted: true }]),
    "relations.jsonl": textOf([RELATION, { ...RELATION, id: "r2", to_memory_id: "gone" }]),
  });
  const report = await importPath(folder, { store });
  expect(report.relations).toMatchObject({ added: 0, unchanged: 1, dropped: 1 });
  expect(JSON.parse(readFileSync(report.quarantinePath ?? "", "utf8"))).toMatchObject({
    file: "relations.jsonl",
    line: 2,
    reason: "relation dropped: no memory gone in file or store",
  });
});

test("importMemories joins a relation to a memory that is in the store only", async () => {
  const store = aStore();
  await importLines([LINE, { ...LINE, id: "b" }], { store });
  const report = await importLines([RELATION], { store, name: "relations.jsonl" });
  expect(report).toMatchObject({ read: 0, relations: { added: 1 } });
});

test("importMemories updates and removes relations as their log says, and an older log brings none back", async () => {
  const store = aStore();
  await importLines([LINE, { ...LINE, id: "b" }], { store });
  const name = "relations.jsonl";
  await importLines([RELATION], { store, name });
  const stronger = { ...RELATION, strength: 0.5 };
  const updated = await importLines([RELATION, stronger], { store, name });
  expect(updated.relations).toMatchObject({ updated: 1 });
  const removed = await importLines([stronger, { id: "r1", _deleted: true }], { store, name });
  expect(removed.relations).toMatchObject({ removed: 1 });
  expect(visibleRelations((await store.snapshot()).relations)).toEqual([]);
  const again = await importLines([RELATION], { store, name });
  expect(again.relations).toMatchObject({ added: 0, unchanged: 1 });
});

test("importMemories takes one link under two ids for one relation", async () => {
  const store = aStore();
  await importLines([LINE, { ...LINE, id: "b" }], { store });
  const name = "relations.jsonl";
  const lines = [RELATION, { ...RELATION, id: "r2" }];
  expect((await importLines(lines, { store, name })).relations).toMatchObject({
    added: 1,
    unchanged: 1,
  });
  const other = [{ ...RELATION, id: "r3" }];
  expect((await importLines(other, { store, name })).relations).toMatchObject({
    added: 0,
    unchanged: 1,
  });
  expect(await memoriesOf(store)).toHaveLength(2);
});

test.each([
  ["a meta that is a list", { ...LINE, meta: [] }, /^meta: /],
  ["a missing id", { ...LINE, id: undefined }, /^id: expected an id/],
  ["a tombstone without id", { _deleted: true }, /^id: /],
  ["a review time that is none", { ...LINE, last_review_at: "soon" }, /^last_review_at: /],
  ["a relation strength beyond 1", { ...RELATION, strength: 1.5 }, /^strength: /],
  ["a relation without an end", { ...RELATION, to_memory_id: "" }, /^to_memory_id: /],
])("importMemories sets %s aside", async (_name, line, reason) => {
  const report = await importLines([line], { store: aStore(), from: "cortexgraph" });
  expect(report).toMatchObject({ read: 1, quarantined: 1 });
  const entry = JSON.parse(readFileSync(path.resolve(report.quarantinePath ?? ""), "utf8"));
  expect(entry.reason).toMatch(reason);
});
