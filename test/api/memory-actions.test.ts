import { expect, test } from "vitest";
import { createHashEmbedder } from "../../src/adapters/memory/hash-embedder.ts";
import { createMemoryStore } from "../../src/adapters/memory/memory-store.ts";
import type { ActionParts } from "../../src/api/change-memory.ts";
import { edit, forget, restore, setPinned, touch } from "../../src/api/memory-actions.ts";
import { listMemories, showMemory, stats } from "../../src/api/memory-listing.ts";
import { memoryView } from "../../src/api/memory-view.ts";
import { rankCandidates, recall } from "../../src/api/recall.ts";
import { remember } from "../../src/api/remember.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { DAY_MS } from "../../src/model/instant.ts";
import { reviseMemory } from "../../src/model/memory.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import type { CommitResult, RecordPut } from "../../src/ports/memory-store.ts";
import { aMemory, aUse, BUILT_AT } from "../builders.ts";
import { fill } from "../scheduler/run-deps.ts";

async function createParts(namespace?: string): Promise<ActionParts & { now: number }> {
  const config = await loadConfig({ env: { HOME: "/nonexistent" }, flags: { namespace } });
  const parts = {
    store: createMemoryStore({ embedder: createHashEmbedder() }),
    config,
    now: BUILT_AT,
    clock: { now: (): number => parts.now },
  };
  return parts;
}

/** The parts, whose store lets another writer in before the first commit. */
function withRival(parts: ActionParts, rival: () => Promise<unknown>): ActionParts {
  let pending: (() => Promise<unknown>) | undefined = rival;
  const commit = async (puts: readonly RecordPut[]): Promise<CommitResult> => {
    const first = pending;
    pending = undefined;
    await first?.();
    return await parts.store.commit(puts);
  };
  return { ...parts, store: { ...parts.store, commit } };
}

test("remember stores a trimmed text with the entities found in it", async () => {
  const parts = await createParts();
  const { outcome, memory } = await remember(parts, { text: " Ada met Mira Okafor. \n" });
  expect(outcome).toBe("added");
  expect(memory).toMatchObject({
    content: "Ada met Mira Okafor.",
    namespace: "default",
    revision: 1,
  });
  expect(memory.id).toMatch(/^mem-[0-9a-f]{16}$/);
  expect(memory.entities).toContain("Mira Okafor");
  expect(await parts.store.read("memory")).toEqual([memory]);
});

test("remember takes the return of a superseded value for a new period, and leaves the old one as it was", async () => {
  const parts = await createParts();
  const { memory: five } = await remember(parts, { text: "The limit is 5." });
  const { memory: eight } = await remember(parts, { text: "The limit is 8." });
  const superseded = reviseMemory(five, {
    status: "archived",
    archivedReason: "superseded",
    supersededBy: eight.id,
    validTo: BUILT_AT + DAY_MS,
  });
  await parts.store.commit([{ record: "memory", before: five, after: superseded }]);
  parts.now = BUILT_AT + 2 * DAY_MS;
  const again = await remember(parts, { text: "The limit is 5." });
  expect(again).toMatchObject({ outcome: "added", memory: { createdAt: BUILT_AT + 2 * DAY_MS } });
  expect(again.memory.id).not.toBe(five.id);
  expect(await parts.store.read("memory", { ids: [five.id] })).toEqual([superseded]);
  const twice = await remember(parts, { text: "the limit is 5" });
  expect(twice).toMatchObject({ outcome: "reinforced", memory: { id: again.memory.id } });
});

test("remember gives equal texts one id in a namespace, and different ones in two", async () => {
  const [first, second] = [await createParts("a"), await createParts("b")];
  const here = await remember(first, { text: "The kettle is blue." });
  const there = await remember(second, { text: "The kettle is blue." });
  expect(here.memory.id).not.toBe(there.memory.id);
  const again = await remember(await createParts("a"), { text: "the kettle  is blue" });
  expect(again.memory.id).toBe(here.memory.id);
});

test("remember of a known text records a use and changes no record", async () => {
  const parts = await createParts();
  const first = await remember(parts, { text: "The kettle is blue.", tags: ["home"] });
  parts.now += 1000;
  const again = await remember(parts, { text: "THE KETTLE IS BLUE", tags: ["other"] });
  expect(again).toEqual({ outcome: "reinforced", memory: first.memory });
  expect(await parts.store.read("memory")).toEqual([first.memory]);
  expect(await parts.store.readUses({ namespace: "default" })).toMatchObject([
    { memoryId: first.memory.id, kind: "touch", at: parts.now },
  ]);
});

test("remember recognises the text of an imported memory, whatever its id", async () => {
  const parts = await createParts();
  const imported = aMemory({ id: "imported", content: "The kettle is blue!" });
  await fill(parts.store, [imported, aMemory({ id: "other" })]);
  expect(await remember(parts, { text: "The kettle is blue" })).toEqual({
    outcome: "reinforced",
    memory: imported,
  });
});

test("remember of a forgotten text restores it", async () => {
  const parts = await createParts();
  const { memory } = await remember(parts, { text: "The kettle is blue." });
  await forget(parts, { id: memory.id });
  const again = await remember(parts, { text: "The kettle is blue." });
  expect(again).toMatchObject({ outcome: "restored", memory: { id: memory.id, status: "active" } });
  expect(again.memory).not.toHaveProperty("archivedReason");
  expect(await parts.store.readUses({ namespace: "default" })).toHaveLength(1);
});

test("remember of a text that was merged reinforces the merged memory", async () => {
  const parts = await createParts();
  const { memory } = await remember(parts, { text: "The kettle is blue." });
  const merged = aMemory({
    id: "big",
    content: "The kettle is blue. It whistles.",
    leaves: [memory.id],
  });
  const archived = reviseMemory(memory, {
    status: "archived",
    archivedReason: "merged",
    supersededBy: "big",
  });
  await parts.store.commit([
    { record: "memory", before: memory, after: archived },
    { record: "memory", before: null, after: merged },
  ]);
  expect(await remember(parts, { text: "The kettle is blue." })).toEqual({
    outcome: "reinforced",
    memory: merged,
  });
});

test("remember of a text whose id an edited memory holds takes the next id", async () => {
  const parts = await createParts();
  const { memory } = await remember(parts, { text: "The kettle is blue." });
  await edit(parts, { id: memory.id }, { content: "The kettle is red." });
  const again = await remember(parts, { text: "The kettle is blue." });
  expect(again.outcome).toBe("added");
  expect(again.memory.id).not.toBe(memory.id);
  expect(await remember(parts, { text: "The kettle is blue." })).toMatchObject({
    outcome: "reinforced",
    memory: { id: again.memory.id },
  });
});

test("remember of one text by two writers at once makes one memory", async () => {
  const parts = await createParts();
  const rival = withRival(parts, () => remember(parts, { text: "The kettle is blue." }));
  expect(await remember(rival, { text: "the kettle is blue" })).toMatchObject({
    outcome: "reinforced",
  });
  expect(await parts.store.read("memory")).toHaveLength(1);
});

test.each([
  ["", "white space"],
  [" \n\t", "white space"],
  ["a\0", "NUL"],
  ["half \ud83d", "surrogate"],
])("remember refuses %j", async (text, message) => {
  const refused = remember(await createParts(), { text });
  await expect(refused).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining(message),
  });
});

test("remember takes a text of a megabyte", async () => {
  const parts = await createParts();
  const text = "word ".repeat(200_000).trim();
  expect((await remember(parts, { text })).memory.content).toBe(text);
});

test("the score of recall is 0.7 cosine and 0.3 of the text score over the best", () => {
  const candidate = (id: string, cosine: number, textScore: number) => ({
    memory: aMemory({ id }),
    cosine,
    textScore,
  });
  const ranked = rankCandidates([
    candidate("c", 0.5, 0),
    candidate("b", 0.5, 0),
    candidate("a", 0.2, 8),
    candidate("d", -0.4, 4),
    candidate("e", -0.4, 0),
  ]);
  expect(ranked.map(({ memory }) => memory.id)).toEqual(["a", "b", "c", "d"]);
  const scores = ranked.map(({ score }) => score);
  for (const [index, expected] of [0.44, 0.35, 0.35, 0.15].entries()) {
    expect(scores[index]).toBeCloseTo(expected, 12);
  }
});

test("recall records one use a hit, and the same call at the same instant is one use", async () => {
  const parts = await createParts();
  await fill(parts.store, [
    aMemory({ id: "m1", content: "green tea" }),
    aMemory({ id: "m2", content: "green coffee" }),
  ]);
  const hits = await recall(parts, { query: "green tea" });
  expect(hits.map(({ memory }) => memory.id)).toEqual(["m1", "m2"]);
  await recall(parts, { query: " green tea " });
  expect(await parts.store.readUses({ namespace: "default" })).toHaveLength(2);
  await recall(parts, { query: "green" });
  parts.now += 1;
  await recall(parts, { query: "green tea", limit: 1 });
  expect(await parts.store.readUses({ namespace: "default" })).toHaveLength(5);
});

test("recall finds neither archived nor expired memories, nor those of other namespaces", async () => {
  const parts = await createParts();
  await fill(parts.store, [
    aMemory({ id: "archived", status: "archived", archivedReason: "forgotten" }),
    aMemory({ id: "expired", expiresAt: BUILT_AT }),
    aMemory({ id: "elsewhere", namespace: "work" }),
    aMemory({ id: "later", expiresAt: BUILT_AT + 1 }),
  ]);
  const hits = await recall(parts, { query: "green tea" });
  expect(hits.map(({ memory }) => memory.id)).toEqual(["later"]);
});

test("recall of nothing is refused", async () => {
  await expect(recall(await createParts(), { query: "  " })).rejects.toMatchObject({
    code: "input",
  });
});

test("edit decides anew when the memory moved in between", async () => {
  const parts = await createParts();
  await fill(parts.store, [aMemory({ tags: ["a"] })]);
  const rival = withRival(parts, () => edit(parts, { id: "m1" }, { addTags: ["b"] }));
  const { memory } = await edit(rival, { id: "m1" }, { addTags: ["c"] });
  expect(memory).toMatchObject({ tags: ["a", "b", "c"], revision: 3 });
  expect(await parts.store.read("memory")).toEqual([memory]);
});

test("edit gives up on a memory that moves under every attempt", async () => {
  const parts = await createParts();
  await fill(parts.store, [aMemory()]);
  const commit = async (): Promise<CommitResult> => ({ ok: false, conflicts: [] });
  const restless = { ...parts, store: { ...parts.store, commit } };
  await expect(edit(restless, { id: "m1" }, { kind: "episodic" })).rejects.toMatchObject({
    code: "store_conflict",
  });
});

test("edit of the content finds its entities anew and keeps those that still stand in it", async () => {
  const parts = await createParts();
  await fill(parts.store, [aMemory({ content: "the tea of Mira", entities: ["the tea", "Oslo"] })]);
  const { memory } = await edit(parts, { id: "m1" }, { content: "the tea of Priya Raman" });
  expect(memory.entities).toContain("the tea");
  expect(memory.entities).toContain("Priya Raman");
  expect(memory.entities).not.toContain("Oslo");
});

test("a step that changes nothing writes nothing", async () => {
  const parts = await createParts();
  await fill(parts.store, [aMemory({ pinned: true })]);
  const { version } = await parts.store.snapshot();
  expect(await edit(parts, { id: "m1" }, { tags: [] })).toMatchObject({ changed: false });
  expect(await setPinned(parts, { id: "m1" }, true)).toMatchObject({ changed: false });
  expect(await restore(parts, { id: "m1" })).toMatchObject({ changed: false });
  expect((await parts.store.snapshot()).version).toEqual(version);
});

test("forgetting keeps everything but the status, and restoring a promoted memory promotes it again", async () => {
  const parts = await createParts();
  const promoted = aMemory({ status: "promoted", promotedAt: BUILT_AT, vaultPath: "a.md" });
  await fill(parts.store, [promoted]);
  const { memory } = await forget(parts, { id: "m1" });
  expect(memory).toEqual({
    ...promoted,
    ...{ status: "archived", archivedReason: "forgotten", archivedAt: BUILT_AT, revision: 2 },
  });
  const back = await restore(parts, { id: "m1" });
  expect(back.memory).toEqual({ ...promoted, revision: 3 });
  expect(back).not.toHaveProperty("mergedInto");
});

test("an archived memory is not edited, touched or pinned, and the way out is named", async () => {
  const parts = await createParts();
  const fields = { status: "archived", archivedReason: "merged", supersededBy: "big" } as const;
  await fill(parts.store, [aMemory(fields)]);
  const message = expect.stringContaining("merged into big");
  const hint = expect.stringContaining("slowwave restore m1");
  for (const step of [
    () => edit(parts, { id: "m1" }, { kind: "episodic" }),
    () => touch(parts, { id: "m1" }),
    () => setPinned(parts, { id: "m1" }, true),
  ]) {
    await expect(step()).rejects.toMatchObject({ code: "input", message, hint });
  }
});

test("what an undone run had made is not there for any action", async () => {
  const parts = await createParts();
  await fill(parts.store, [aMemory({ status: "archived", archivedReason: "undone" })]);
  await expect(restore(parts, { id: "m1" })).rejects.toMatchObject({ code: "not_found" });
  await expect(showMemory(parts, { id: "m1" })).rejects.toMatchObject({ code: "not_found" });
  expect(await listMemories(parts, { status: ["archived"] })).toMatchObject({ total: 0 });
  expect(await stats(parts)).toMatchObject({ memories: { archived: 0 } });
});

test("the usage of a merged memory folds in that of its leaves", async () => {
  const parts = await createParts();
  await fill(parts.store, [
    aMemory({ id: "big", leaves: ["m1", "m2"] }),
    aMemory({ id: "m1", status: "archived", archivedReason: "merged", baseUseCount: 3 }),
    aMemory({ id: "m2", status: "archived", archivedReason: "merged" }),
  ]);
  await parts.store.recordUses([
    aUse({ id: "u1", memoryId: "m2" }),
    aUse({ id: "u2", memoryId: "big", at: BUILT_AT - 5 }),
    aUse({ id: "future", memoryId: "big", at: BUILT_AT + DAY_MS }),
  ]);
  const { usage } = await showMemory(parts, { id: "big" });
  expect(usage).toMatchObject({ useCount: 5, lastUsedAt: BUILT_AT });
  const { memories } = await listMemories(parts);
  expect(memories).toMatchObject([{ memory: { id: "big" }, usage: { useCount: 5 } }]);
});

test("listing many memories finds the same uses as listing one", async () => {
  const parts = await createParts();
  const ids = Array.from({ length: 501 }, (_, n) => `m${n}`);
  await fill(
    parts.store,
    ids.map((id) => aMemory({ id })),
  );
  await parts.store.recordUses([aUse({ memoryId: "m500" }), aUse({ id: "u2", memoryId: "gone" })]);
  const { memories } = await listMemories(parts);
  const used = memories.filter(({ usage }) => usage.useCount > 0);
  expect(used.map(({ memory }) => memory.id)).toEqual(["m500"]);
});

test("a memory's view has ISO times, its use and its decay score", () => {
  const memory = aMemory({
    validFrom: BUILT_AT,
    provenance: [{ agent: "import:jsonl", at: BUILT_AT }],
  });
  const usage = { useCount: 1, lastUsedAt: BUILT_AT, eventTimes: [BUILT_AT], baseUseCount: 0 };
  const settings = settingsSchema.parse({}).decay;
  const view = memoryView(memory, usage, { now: BUILT_AT + 3 * DAY_MS, settings });
  const iso = "2026-03-02T09:00:00.000Z";
  expect(view).toMatchObject({
    ...{ id: "m1", createdAt: iso, validFrom: iso, useCount: 1, lastUsedAt: iso },
    provenance: [{ agent: "import:jsonl", at: iso }],
  });
  expect(view.score).toBeCloseTo(2 ** 0.6 / 2, 12);
});

test("recall asks the store which model made its vectors and to search, and reads nothing else of it", async () => {
  const parts = await createParts();
  await fill(parts.store, [aMemory({ id: "a", content: "green tea" })]);
  const called: string[] = [];
  const store = new Proxy(parts.store, {
    get: (target, name, receiver) => {
      called.push(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
  expect(await recall({ ...parts, store }, { query: "green tea" })).toHaveLength(1);
  expect(called).toEqual(["vectorState", "search", "recordUses"]);
});
