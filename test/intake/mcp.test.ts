import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { aMemory, aRelation } from "../builders.ts";
import { aStore, change, exportLines, importLines, memoriesOf, NOW } from "./import-text.ts";

const MARIA = {
  type: "entity",
  name: "Maria",
  entityType: "person",
  observations: ["likes tea", "lives in Berlin"],
};
const ACME = { type: "entity", name: "Acme", entityType: "company", observations: [] };
const WORKS = { type: "relation", from: "Maria", to: "Acme", relationType: "works_at" };

const inBerlin = (text: string) => (text.includes("Berlin") ? ["Berlin"] : []);

test("importMemories takes each observation for a memory of its entity", async () => {
  const store = aStore();
  const report = await importLines([MARIA, ACME, WORKS], { store, extractEntities: inBerlin });
  expect(report).toMatchObject({ format: "mcp", read: 3, added: 3, relations: { added: 1 } });
  const memories = await memoriesOf(store);
  expect(memories.find(({ content }) => content === "lives in Berlin")).toMatchObject({
    id: expect.stringMatching(/^mcp-[0-9a-f]{24}$/),
    tags: ["person"],
    entities: ["Maria", "Berlin"],
    extra: { mcp: { entity: "Maria", entityType: "person", line: 1, index: 1 } },
    createdAt: NOW,
  });
  expect(memories.find(({ content }) => content === "Acme is of type company.")).toMatchObject({
    extra: { mcp: { entity: "Acme", empty: true } },
  });
});

test("importMemories changes nothing for a graph whose lines moved, and adds what is new", async () => {
  const store = aStore();
  await importLines([MARIA, ACME, WORKS], { store });
  const grown = { ...MARIA, observations: ["new first", ...MARIA.observations] };
  expect(await importLines([WORKS, ACME, grown], { store })).toMatchObject({
    added: 1,
    updated: 0,
    unchanged: 3,
    quarantined: 0,
  });
});

test("importMemories sets one bad observation aside in a form that can be mended and imported", async () => {
  const store = aStore();
  const report = await importLines([{ ...MARIA, observations: ["likes tea", "  ", 7] }], { store });
  expect(report).toMatchObject({ read: 3, added: 1, quarantined: 2 });
  const [blank] = readFileSync(report.quarantinePath ?? "", "utf8").split("\n");
  expect(JSON.parse(JSON.parse(blank ?? "").raw)).toEqual({ ...MARIA, observations: ["  "] });
});

test("importMemories drops a relation to an entity that the graph lacks", async () => {
  const report = await importLines([MARIA, WORKS], { store: aStore() });
  expect(report.relations).toMatchObject({ added: 0, dropped: 1 });
  expect(readFileSync(report.quarantinePath ?? "", "utf8")).toMatch(/no entity \\"Acme\\"/);
});

test("exportMemories writes the graph it was given, in its order", async () => {
  const store = aStore();
  const zoe = { ...MARIA, name: "Zoe", observations: ["b", "a"], color: "red" };
  const graph = [zoe, MARIA, ACME, WORKS, { ...WORKS, from: "Zoe", to: "Zoe" }];
  await importLines(graph, { store });
  const lines = await exportLines(store, "mcp");
  expect(lines.map(({ line }) => JSON.parse(line))).toEqual(graph);
});

test("exportMemories writes what became of an observation, and an entity once it has one", async () => {
  const store = aStore();
  await importLines([MARIA, ACME, WORKS], { store });
  for (const { id, content } of await memoriesOf(store)) {
    if (content === "likes tea")
      await change(store, id, { status: "archived", archivedReason: "decayed", archivedAt: NOW });
    if (content.startsWith("Acme")) await change(store, id, { content: "makes anvils" });
  }
  const lines = (await exportLines(store, "mcp")).map(({ line }) => JSON.parse(line));
  expect(lines).toEqual([
    { ...MARIA, observations: ["lives in Berlin"] },
    { ...ACME, observations: ["makes anvils"] },
    WORKS,
  ]);
});

test("exportMemories keeps a relation of entities when the memory that stood for one is forgotten", async () => {
  const store = aStore();
  await importLines([MARIA, ACME, WORKS], { store });
  const first = (await memoriesOf(store)).find(({ content }) => content === "likes tea");
  await change(store, first?.id ?? "", { status: "archived", archivedReason: "forgotten" });
  const lines = (await exportLines(store, "mcp")).map(({ line }) => JSON.parse(line));
  expect(lines).toEqual([{ ...MARIA, observations: ["lives in Berlin"] }, ACME, WORKS]);
});

test("exportMemories groups other memories by their first entity and joins entities once", async () => {
  const store = aStore();
  const records = [
    aMemory({ id: "m1", content: "Ann runs", entities: ["Ann"] }),
    aMemory({ id: "m2", content: "Ann swims", entities: ["Ann"] }),
    aMemory({ id: "m3", content: "it rains" }),
  ];
  const links = [
    aRelation({ id: "r1", from: "m1", to: "m2" }),
    aRelation({ id: "r2", from: "m1", to: "m3" }),
    aRelation({ id: "r3", from: "m2", to: "m3" }),
  ];
  await store.commit([
    ...records.map((after) => ({ record: "memory", before: null, after }) as const),
    ...links.map((after) => ({ record: "relation", before: null, after }) as const),
  ]);
  const lines = (await exportLines(store, "mcp")).map(({ line }) => JSON.parse(line));
  expect(lines).toEqual([
    {
      type: "entity",
      name: "Ann",
      entityType: "semantic",
      observations: ["Ann runs", "Ann swims"],
    },
    { type: "entity", name: "m3", entityType: "semantic", observations: ["it rains"] },
    { type: "relation", from: "Ann", to: "m3", relationType: "related" },
  ]);
});

test("exportMemories refuses to put two namespaces into one graph", async () => {
  const store = aStore();
  await store.commit([
    { record: "memory", before: null, after: aMemory() },
    { record: "memory", before: null, after: aMemory({ namespace: "work" }) },
  ]);
  await expect(exportLines(store, "mcp")).rejects.toMatchObject({ code: "input" });
});
