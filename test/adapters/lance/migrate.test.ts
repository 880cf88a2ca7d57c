import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { connect, makeArrowTable } from "@lancedb/lancedb";
import { expect, test } from "vitest";
import { loadEngine } from "../../../src/adapters/lance/engine.ts";
import type { JournalEntry } from "../../../src/model/run.ts";
import { visibleRelations } from "../../../src/ports/relation-columns.ts";
import { aJournalEntry, aMemory, anIssue, anOutboxItem, aRelation, aUse } from "../../builders.ts";
import { openStore, tempFolder } from "./temp-store.ts";

/** A store as layout 0 had it: fewer columns, and memories that knew neither revision nor pinned nor disputed. */
async function storeOfLayout0(): Promise<string> {
  const { arrow } = await loadEngine();
  const uri = join(await tempFolder(), "store");
  const { content, revision: _revision, pinned: _pinned, disputed: _disputed, ...body } = aMemory();
  const { revision: _issueRevision, ...issue } = anIssue();
  const names = ["key", "record", "content", "body"];
  const schema = new arrow.Schema(
    names.map((name) => new arrow.Field(name, new arrow.Utf8(), true)),
  );
  const rows = [
    ["meta", "meta", null, JSON.stringify({ schemaVersion: 0, storeId: "old-store" })],
    ["head", "head", null, "{}"],
    ['["memory","default","m1"]', "memory", content, JSON.stringify(body)],
    ['["issue","default","sw-1"]', "issue", null, JSON.stringify(issue)],
  ].map((values) => Object.fromEntries(names.map((name, index) => [name, values[index]])));
  const empty = await openStore({ uri: join(await tempFolder(), "store") });
  await empty.recordUses([aUse()]);
  const uses = await (await connect(empty.uri)).openTable("uses");
  const connection = await connect(uri);
  await connection.createTable("uses", await uses.toArrow());
  await connection.createTable("records", makeArrowTable(rows, { schema }));
  return uri;
}

test("a store of an older layout is brought up to date once, and its old table is kept", async () => {
  const uri = await storeOfLayout0();
  const notes: string[] = [];
  const store = await openStore({ uri, onNote: (note) => notes.push(note) });
  expect(notes).toEqual([expect.stringContaining("layout 0 to 2")]);
  expect(store.storeId).toBe("old-store");
  const snapshot = await store.snapshot();
  expect(snapshot.memories).toEqual([aMemory()]);
  expect(snapshot.issues).toEqual([anIssue()]);
  expect(snapshot.uses).toEqual([aUse()]);
  expect(Math.hypot(...(await snapshot.vectors(snapshot.memories)).data)).toBeCloseTo(1, 5);
  const [hit] = await store.search({ namespace: "default", text: "green tea" });
  expect(hit?.textScore).toBeGreaterThan(0);
  const put = { record: "memory", before: null, after: aMemory({ id: "m2" }) } as const;
  expect(await store.commit([put])).toMatchObject({ ok: true });
  expect(await readdir(join(uri, "backups"))).toEqual(["layout-0"]);
  const kept = await (await connect(join(uri, "backups", "layout-0"))).openTable("records");
  expect(await kept.countRows()).toBe(4);
  await openStore({ uri, onNote: (note) => notes.push(note) });
  expect(notes).toHaveLength(1);
});

test("a store of an older layout is not opened for reading: that would have to write", async () => {
  const uri = await storeOfLayout0();
  await expect(openStore({ uri, mode: "read" })).rejects.toMatchObject({
    code: "store_unavailable",
    message: expect.stringContaining("layout 0"),
    hint: expect.stringContaining("doctor"),
  });
  expect(await readdir(uri)).not.toContain("backups");
});

/** A store as layout 1 had it: no columns for long fields, which stood in the body. */
async function storeOfLayout1(entry: JournalEntry): Promise<string> {
  const store = await openStore({ uri: join(await tempFolder(), "store") });
  const puts = [
    { record: "memory", before: null, after: aMemory() },
    { record: "relation", before: null, after: aRelation() },
    { record: "journal", before: null, after: entry },
  ] as const;
  await store.commit(puts);
  const table = await (await connect(store.uri)).openTable("records");
  await table.dropColumns(["steps", "changes", "paths"]);
  const meta = JSON.stringify({ schemaVersion: 1, storeId: store.storeId });
  await table.update({ where: "key = 'meta'", values: { body: meta } });
  await table.update({ where: "record = 'journal'", values: { body: JSON.stringify(entry) } });
  return store.uri;
}

test("a store of layout 1 is read as it stands, and gets its columns with the first opening to write", async () => {
  const old = aJournalEntry({ id: "run-1/1" });
  const uri = await storeOfLayout1(old);
  const { changes: _changes, ...steps } = old;
  const reader = await openStore({ uri, mode: "read" });
  expect(await reader.read("journal")).toEqual([old]);
  expect(await reader.readSteps(0)).toEqual([steps]);
  expect(visibleRelations((await reader.snapshot()).relations)).toEqual([aRelation()]);

  const notes: string[] = [];
  const store = await openStore({ uri, onNote: (note) => notes.push(note) });
  expect(notes).toEqual([expect.stringContaining("layout 1 to 2")]);
  const fresh = aJournalEntry({ id: "run-2/1", runId: "run-2" });
  const owed = anOutboxItem();
  const trimmed = { ...old, changes: [], trimmed: true, revision: 2 } as const;
  const puts = [
    { record: "journal", before: null, after: fresh },
    { record: "outbox", before: null, after: owed },
    { record: "journal", before: old, after: trimmed },
    { record: "memory", before: aMemory(), after: aMemory({ strength: 2, revision: 2 }) },
  ] as const;
  expect(await store.commit(puts)).toMatchObject({ ok: true });
  expect(await store.read("journal")).toEqual([trimmed, fresh]);
  expect(await store.read("outbox")).toEqual([owed]);
  expect(await store.verify()).toEqual([]);
  const table = await (await connect(uri)).openTable("records");
  const rows = await table
    .query()
    .where("record = 'journal'")
    .select(["body", "changes"])
    .toArray();
  expect(rows.map(({ body }) => body).join()).not.toContain("changes");
  expect(rows.map(({ changes }) => JSON.parse(changes))).toContainEqual(fresh.changes);
  await openStore({ uri, onNote: (note) => notes.push(note) });
  expect(notes).toHaveLength(1);
});
