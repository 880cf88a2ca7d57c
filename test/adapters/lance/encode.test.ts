import { expect, test } from "vitest";
import { rowsToTable, toRow, toStoreRow } from "../../../src/adapters/lance/encode.ts";
import { loadEngine } from "../../../src/adapters/lance/engine.ts";
import { recordColumns, tableSchema } from "../../../src/adapters/lance/schema.ts";
import { aJournalEntry, aMemory, anOutboxItem, aRelation } from "../../builders.ts";

test("rowsToTable refuses more text than LanceDB takes in one buffer", async () => {
  const engine = await loadEngine();
  const body = "x".repeat(400_000_000);
  const rows = ["a", "b", "c"].map((key) => toStoreRow(key, { body }));
  expect(() => rowsToTable(engine, tableSchema(engine, recordColumns), rows)).toThrow(
    expect.objectContaining({ code: "input" }),
  );
});

test("rowsToTable cuts many rows into batches and keeps every value in its column", async () => {
  const engine = await loadEngine();
  const vectors = new Map([["vector_2", 2]]);
  const rows = Array.from({ length: 10_001 }, (_, index) =>
    toRow(
      {
        record: "memory",
        value: aMemory({ id: `m${index}`, tags: index % 2 ? ["a", "é"] : [], strength: 0.5 }),
      },
      { embedder: "e", vectors: new Map(index % 2 ? [["vector_2", Float32Array.of(1, 2)]] : []) },
    ),
  );
  const table = rowsToTable(engine, tableSchema(engine, recordColumns, vectors), rows);
  expect(table.batches.map(({ numRows }) => numRows)).toEqual([10_000, 1]);
  const row = table.get(9_999)?.toJSON();
  expect(row).toMatchObject({ id: "m9999", strength: 0.5, src: null, revision: 1n });
  expect([...(row?.tags ?? [])]).toEqual(["a", "é"]);
  expect([...(row?.vector_2 ?? [])]).toEqual([1, 2]);
  expect(table.get(10_000)?.toJSON()).toMatchObject({ id: "m10000", vector_2: null });
});

test("toRow gives content to memories alone, and ends to relations alone", () => {
  const none = { embedder: null, vectors: new Map() };
  const memory = toRow({ record: "memory", value: aMemory() }, none);
  const relation = toRow({ record: "relation", value: aRelation() }, none);
  expect(memory).toMatchObject({ content: aMemory().content, src: null, dst: null });
  expect(memory.body).not.toContain(aMemory().content);
  expect(relation).toMatchObject({ content: null, src: "m1", dst: "m2", tags: null });
});

test("toRow keeps what grows with a run out of the column that every reading of the store goes through", () => {
  const none = { embedder: null, vectors: new Map() };
  const long = "x".repeat(40_000);
  const entry = aJournalEntry({
    changes: [{ kind: "note.put", path: "a.md", before: null, after: { text: long } }],
  });
  const owed = anOutboxItem({ paths: [{ path: long, hash: null }] });
  const [journal, outbox] = [
    toRow({ record: "journal", value: entry }, none),
    toRow({ record: "outbox", value: owed }, none),
  ];
  expect(JSON.parse(journal.steps ?? "")).toEqual(entry.steps);
  expect(JSON.parse(journal.changes ?? "")).toEqual(entry.changes);
  expect(JSON.parse(outbox.paths ?? "")).toEqual(owed.paths);
  expect(`${journal.body}${outbox.body}`).not.toContain(long);
});
