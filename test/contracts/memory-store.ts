import { expect, test } from "vitest";
import { SlowwaveError } from "../../src/model/errors.ts";
import { type Memory, reviseMemory } from "../../src/model/memory.ts";
import type { JournalEntry } from "../../src/model/run.ts";
import type { MemoryStore, RecordPut } from "../../src/ports/memory-store.ts";
import {
  everyRelation,
  relationColumns,
  visibleRelations,
} from "../../src/ports/relation-columns.ts";
import { compareNewest } from "../../src/ports/store-rules.ts";
import {
  aJournalEntry,
  aMemory,
  anIssue,
  anOutboxItem,
  aRelation,
  aRun,
  aUse,
  BUILT_AT,
} from "../builders.ts";

/** `reopen` opens the same data once more, beside the first handle; absent where a store lives in one process only. */
export interface OpenedStore {
  readonly store: MemoryStore;
  readonly reopen?: (mode: "read" | "write") => Promise<MemoryStore>;
}

/** What every store must do. `open` gives an empty store each time, which it closes after the test. */
export function testMemoryStore(name: string, open: () => Promise<OpenedStore>): void {
  const it = (title: string, run: (opened: OpenedStore) => Promise<void>): void => {
    test(`${name}: ${title}`, async () => run(await open()));
  };
  testRecords(it);
  testCommit(it);
  testSnapshot(it);
  testSearch(it);
  testUses(it);
  testPurge(it);
  testLease(it);
  testReopening(it);
}

type It = (title: string, run: (opened: OpenedStore) => Promise<void>) => void;

const NASTY_IDS = [
  "o'brien",
  'a "quoted" id',
  "back\\slash",
  "nul\0byte",
  "new\nline",
  "🦥 sloth",
  "' OR 1=1 --",
  "semi; drop",
  "`tick`",
  "%_like",
  "a",
  "A",
  "\u00e9",
  "e\u0301",
  " space ",
  "日本",
];

function create(...memories: readonly Memory[]): RecordPut[] {
  return memories.map((after) => ({ record: "memory", before: null, after }));
}

function edit(before: Memory, content: string): RecordPut {
  return { record: "memory", before, after: reviseMemory(before, { content }) };
}

async function rejection(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => "no error",
    (error: unknown) => (error instanceof SlowwaveError ? error.code : error),
  );
}

function testRecords(it: It): void {
  it("an empty store has an id and nothing else", async ({ store }) => {
    expect(store.storeId).not.toBe("");
    expect(store.writable).toBe(true);
    const snapshot = await store.snapshot();
    expect(snapshot.storeId).toBe(store.storeId);
    const { memories, issues, uses } = snapshot;
    expect([...memories, ...everyRelation(snapshot.relations), ...issues, ...uses]).toEqual([]);
    for (const record of ["memory", "relation", "issue", "run", "journal", "outbox"] as const) {
      expect(await store.read(record)).toEqual([]);
    }
    expect(await store.search({ namespace: "default", text: "tea" })).toEqual([]);
  });

  it("every kind of record reads back as it was written", async ({ store }) => {
    const memory = aMemory({
      tags: ["drinks", "", "a,b"],
      entities: ["Maria"],
      source: "chat.json",
      context: "breakfast",
      extra: { nested: { list: [1, null, "x"], yes: true }, empty: {} },
      baseUseCount: 3,
      baseLastUsedAt: BUILT_AT + 1,
      lastReviewedAt: BUILT_AT + 2,
      reviewCount: 1,
      strength: 1.25,
      confidence: 0.123456789,
      status: "archived",
      archivedAt: BUILT_AT + 3,
      archivedReason: "merged",
      supersededBy: "m9",
      validFrom: -62_135_596_800_000,
      validTo: 253_402_300_799_999,
      expiresAt: BUILT_AT,
      promotedAt: BUILT_AT,
      vaultPath: "People/Maria.md",
      leaves: ["a", "b"],
      provenance: [{ agent: "importer", factId: "f1", at: BUILT_AT }],
      importHash: "hash",
      revision: 7,
    });
    const relation = aRelation({ reason: "share Maria", metadata: { shared: ["Maria"] } });
    const issue = anIssue({
      comments: [{ author: "person:ann", at: BUILT_AT, text: "why?" }],
      undone: true,
    });
    const run = aRun({ finishedAt: BUILT_AT + 5, notes: ["no vault"] });
    const journal = aJournalEntry({
      changes: [
        { kind: "memory.put", before: null, after: memory },
        { kind: "note.put", path: "a.md", before: null, after: { text: "# A\n" } },
      ],
    });
    const outbox = anOutboxItem({ paths: [{ path: "a.md", hash: null }], error: "no git" });
    const result = await store.commit([
      { record: "memory", before: null, after: memory },
      { record: "relation", before: null, after: relation },
      { record: "issue", before: null, after: issue },
      { record: "run", before: null, after: run },
      { record: "journal", before: null, after: journal },
      { record: "outbox", before: null, after: outbox },
    ]);
    expect(result).toMatchObject({ ok: true });
    expect(await store.read("memory")).toEqual([memory]);
    expect(await store.read("relation")).toEqual([relation]);
    expect(await store.read("issue")).toEqual([issue]);
    expect(await store.read("run")).toEqual([run]);
    expect(await store.read("journal")).toEqual([journal]);
    expect(await store.read("outbox")).toEqual([outbox]);
  });

  it("contents of every shape read back unchanged", async ({ store }) => {
    const contents = [
      "",
      " ",
      "nul\0inside",
      "lone \ud800 surrogate",
      "emoji 👩‍👩‍👧‍👦 and ligatures ﬁ",
      "עברית 日本語 ไทย",
      "'quotes' \"double\" `ticks` \\ -- ; /* */",
      "line\r\nbreaks\u2028here",
      "x".repeat(1_000_000),
    ];
    const memories = contents.map((content, index) => aMemory({ id: `c${index}`, content }));
    expect(await store.commit(create(...memories))).toMatchObject({ ok: true });
    expect((await store.read("memory")).map(({ content }) => content)).toEqual(contents);
    expect((await store.snapshot()).memories).toEqual(memories);
    const edits = memories.map((memory) => edit(memory, `${memory.content}!`));
    expect(await store.commit(edits)).toMatchObject({ ok: true });
    expect(
      (await store.read("memory", { ids: ["c2", "c8"] })).map((m) => m.content.length),
    ).toEqual([11, 1_000_001]);
  });

  it("ids of every shape are kept apart, found again and edited", async ({ store }) => {
    const memories = NASTY_IDS.map((id, index) => aMemory({ id, content: `fact ${index}` }));
    await store.commit(create(...memories));
    for (const memory of memories) {
      expect(await store.read("memory", { namespace: "default", ids: [memory.id] })).toEqual([
        memory,
      ]);
      expect(await store.read("memory", { ids: [memory.id] })).toEqual([memory]);
    }
    const edits = memories.map((memory) => edit(memory, `new ${memory.content}`));
    expect(await store.commit(edits)).toMatchObject({ ok: true });
    expect(await store.read("memory")).toHaveLength(NASTY_IDS.length);
    const relations = NASTY_IDS.map((id, index) => aRelation({ id: `r${index}`, from: id }));
    await store.commit(relations.map((after) => ({ record: "relation", before: null, after })));
    for (const relation of relations) {
      expect(await store.read("relation", { touching: [relation.from] })).toEqual([relation]);
    }
  });

  it("one id may name a memory, an issue, a run, and a memory elsewhere", async ({ store }) => {
    const here = aMemory({ id: "x" });
    const there = aMemory({ id: "x", namespace: "work", content: "other" });
    await store.commit([
      ...create(here, there),
      { record: "issue", before: null, after: anIssue({ id: "x" }) },
      { record: "run", before: null, after: aRun({ id: "x" }) },
    ]);
    expect(await store.read("memory")).toEqual([here, there]);
    expect(await store.read("memory", { namespace: "work", ids: ["x"] })).toEqual([there]);
    expect(await store.read("issue")).toHaveLength(1);
    expect(await store.read("run")).toHaveLength(1);
  });

  it("read returns what matches all parts of a filter, by namespace and id", async ({ store }) => {
    await store.commit([
      ...create(
        aMemory({ id: "b", kind: "episodic" }),
        aMemory({ id: "a", status: "archived", archivedReason: "decayed" }),
        aMemory({ id: "c", namespace: "work", createdAt: BUILT_AT + 10 }),
        aMemory({ id: "B", status: "promoted" }),
      ),
      { record: "relation", before: null, after: aRelation({ id: "r2", from: "a", to: "b" }) },
      { record: "relation", before: null, after: aRelation({ id: "r1", from: "b", to: "c" }) },
      { record: "relation", before: null, after: aRelation({ id: "r3", from: "d", to: "e" }) },
      { record: "issue", before: null, after: anIssue({ id: "i1", status: "closed" }) },
      { record: "issue", before: null, after: anIssue({ id: "i2" }) },
      { record: "journal", before: null, after: aJournalEntry({ id: "1", state: "prepared" }) },
      { record: "journal", before: null, after: aJournalEntry({ id: "2", at: BUILT_AT + 1 }) },
      { record: "outbox", before: null, after: anOutboxItem({ id: "git:1", state: "done" }) },
      { record: "outbox", before: null, after: anOutboxItem({ id: "git:2" }) },
      { record: "run", before: null, after: aRun({ id: "old", startedAt: BUILT_AT - 1 }) },
      { record: "run", before: null, after: aRun({ id: "new", status: "running" }) },
    ]);
    const ids = async (...query: Parameters<MemoryStore["read"]>): Promise<string[]> =>
      (await store.read(...query)).map(({ id }) => id);
    expect(await ids("memory")).toEqual(["B", "a", "b", "c"]);
    expect(await ids("memory", { namespace: "default" })).toEqual(["B", "a", "b"]);
    expect(await ids("memory", { status: ["active", "promoted"] })).toEqual(["B", "b", "c"]);
    expect(await ids("memory", { kind: ["episodic"] })).toEqual(["b"]);
    expect(await ids("memory", { since: BUILT_AT + 10 })).toEqual(["c"]);
    expect(await ids("memory", { namespace: "work", status: ["archived"] })).toEqual([]);
    expect(await ids("memory", { ids: [] })).toEqual([]);
    expect(await ids("relation", { touching: ["b"] })).toEqual(["r1", "r2"]);
    expect(await ids("relation", { touching: ["c", "a"] })).toEqual(["r1", "r2"]);
    expect(await ids("issue", { status: ["open"] })).toEqual(["i2"]);
    expect(await ids("journal", { state: ["prepared"] })).toEqual(["1"]);
    expect(await ids("journal", { since: BUILT_AT + 1 })).toEqual(["2"]);
    expect(await ids("journal", { before: BUILT_AT + 1 })).toEqual(["1"]);
    expect(await ids("outbox", { state: ["open", "failed"] })).toEqual(["git:2"]);
    expect(await ids("run", { since: BUILT_AT })).toEqual(["new"]);
    expect(await ids("run", { state: ["completed"] })).toEqual(["old"]);
  });

  it("a filter may name thousands of ids", async ({ store }) => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `id-${index}`);
    await store.commit(create(aMemory({ id: "id-7" }), aMemory({ id: "id-4999" }), aMemory()));
    const found = await store.read("memory", { ids });
    expect(found.map(({ id }) => id)).toEqual(["id-4999", "id-7"]);
    await store.commit([{ record: "relation", before: null, after: aRelation({ from: "id-7" }) }]);
    expect(await store.read("relation", { touching: ids })).toHaveLength(1);
  });
}

function testCommit(it: It): void {
  it("a batch with one conflict writes nothing and says what stands instead", async ({ store }) => {
    const first = aMemory({ id: "a" });
    await store.commit(create(first));
    const stale = edit(reviseMemory(first, { content: "never stored" }), "x");
    const fresh = create(aMemory({ id: "b" }))[0] as RecordPut;
    const gone = edit(aMemory({ id: "nowhere" }), "y");
    const taken: RecordPut = {
      record: "memory",
      before: null,
      after: aMemory({ id: "a", tags: ["t"] }),
    };
    expect(await store.commit([fresh, stale, gone])).toEqual({
      ok: false,
      conflicts: [
        { put: stale, found: first },
        { put: gone, found: null },
      ],
    });
    expect(await store.commit([taken])).toEqual({
      ok: false,
      conflicts: [{ put: taken, found: first }],
    });
    expect(await store.read("memory")).toEqual([first]);
  });

  it("a record that equals its after-image counts as written", async ({ store }) => {
    const memory = aMemory({ extra: { a: 1, b: 2 } });
    const put = edit(memory, "edited");
    await store.commit(create(memory));
    const once = await store.commit([put]);
    const twice = await store.commit([put, ...create(aMemory({ id: "m2" }))]);
    expect([once, twice]).toMatchObject([{ ok: true }, { ok: true }]);
    expect((await store.read("memory")).map(({ id, content }) => [id, content])).toEqual([
      ["m1", "edited"],
      ["m2", memory.content],
    ]);
  });

  it("a batch that makes records, one of them there already, makes the others", async ({
    store,
  }) => {
    const [there, missing] = [aMemory({ id: "a" }), aMemory({ id: "b" })];
    await store.commit(create(there));
    expect(await store.commit(create(missing, there))).toMatchObject({ ok: true });
    expect(await store.read("memory")).toEqual([there, missing]);
    const other = create(aMemory({ id: "c" }), aMemory({ id: "a", tags: ["t"] }));
    expect(await store.commit(other)).toEqual({
      ok: false,
      conflicts: [{ put: other[1], found: there }],
    });
    expect(await store.read("memory")).toEqual([there, missing]);
  });

  it("images are compared as data, whatever the order of their keys", async ({ store }) => {
    await store.commit(create(aMemory({ extra: { a: 1, b: { c: 2, d: 3 } } })));
    const reordered = aMemory({ extra: { b: { d: 3, c: 2 }, a: 1 } });
    expect(await store.commit([edit(reordered, "edited")])).toMatchObject({ ok: true });
  });

  it("versions rise with each batch, and an empty one writes nothing", async ({ store }) => {
    const first = await store.commit(create(aMemory({ id: "a" })));
    const nothing = await store.commit([]);
    const again = await store.commit(create(aMemory({ id: "a" })));
    const second = await store.commit(create(aMemory({ id: "b" })));
    if (!(first.ok && nothing.ok && again.ok && second.ok)) throw new Error("a commit was refused");
    expect(nothing.version).toBe(first.version);
    expect(again.version).toBe(first.version);
    expect(second.version).toBeGreaterThan(first.version);
    expect((await store.snapshot()).version.records).toBe(second.version);
  });

  it("values outside the model are refused and leave no trace", async ({ store }) => {
    const bad: RecordPut[][] = [
      create(aMemory({ strength: 3 })),
      create(aMemory({ revision: 1.5 })),
      create(aMemory({ id: "" })),
      create(aMemory({ createdAt: Number.NaN })),
      create(aMemory({ baseUseCount: -1 })),
      create(aMemory({ id: "a" }), aMemory({ id: "a", content: "other" })),
      [{ record: "memory", before: aMemory({ id: "a" }), after: aMemory({ id: "b" }) }],
      [{ record: "relation", before: null, after: aRelation({ strength: 2 }) }],
    ];
    for (const puts of bad) {
      expect(await rejection(store.commit([...create(aMemory({ id: "good" })), ...puts]))).toBe(
        "input",
      );
    }
    expect(await rejection(store.recordUses([aUse(), aUse({ id: "", at: 0.5 })]))).toBe("input");
    const { memories, relations, uses } = await store.snapshot();
    expect([...memories, ...everyRelation(relations), ...uses]).toEqual([]);
  });

  it("batches committed at once are all kept", async ({ store }) => {
    const batches = Array.from({ length: 8 }, (_, batch) =>
      create(aMemory({ id: `${batch}-a` }), aMemory({ id: `${batch}-b` })),
    );
    const results = await Promise.all(batches.map((puts) => store.commit(puts)));
    expect(results.filter(({ ok }) => ok)).toHaveLength(8);
    expect(new Set((await store.read("memory")).map(({ id }) => id)).size).toBe(16);
  });

  it("of rival edits of one record exactly one wins", async ({ store }) => {
    const memory = aMemory();
    await store.commit(create(memory));
    const results = await Promise.all(
      ["a", "b", "c", "d"].map((text) => store.commit([edit(memory, text)])),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    const [stored] = await store.read("memory");
    expect(stored?.revision).toBe(2);
  });
}

function testSnapshot(it: It): void {
  it("a snapshot stays as it was, whatever is written later", async ({ store }) => {
    const memory = aMemory();
    await store.commit(create(memory));
    await store.recordUses([aUse()]);
    const snapshot = await store.snapshot();
    await store.commit([edit(memory, "other words"), ...create(aMemory({ id: "m2" }))]);
    await store.recordUses([aUse({ id: "u2" })]);
    expect(snapshot.memories).toEqual([memory]);
    expect(snapshot.uses).toEqual([aUse()]);
    const kept = await snapshot.vectors([memory]);
    const [now] = (await store.snapshot()).memories;
    expect(kept.data).not.toEqual((await (await store.snapshot()).vectors(now ? [now] : [])).data);
    expect(await store.read("memory")).toHaveLength(2);
  });

  it("columns of relations say what the records say, also of text without UTF-8", async ({
    store,
  }) => {
    const relations = [
      aRelation({ id: "r1", type: "contradicts", createdAt: 1_767_225_600_123 }),
      aRelation({ id: "r2", from: "torn \ud800", to: "Zürich \udc00", namespace: "work" }),
      aRelation({ id: "r3", undone: true, from: "a", to: "a" }),
      aRelation({ id: "r4", from: "\ufffd", createdAt: -5 }),
    ];
    await store.commit(relations.map((after) => ({ record: "relation", before: null, after })));
    const { relations: columns } = await store.snapshot();
    const read = Array.from({ length: columns.count }, (_, at) => columns.read(at));
    expect(read.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual(relations);
    const { read: _read, ...texts } = columns;
    const { read: _other, ...expected } = relationColumns(read);
    expect(texts).toEqual(expected);
    expect(columns.read(0)).toBe(read[0]);
    expect(() => columns.read(columns.count)).toThrow(/no relation 4/);
  });

  it("a snapshot is ordered, and tells undone relations from others", async ({ store }) => {
    const memories = [
      aMemory({ id: "b" }),
      aMemory({ id: "a", status: "archived" }),
      aMemory({ id: "z", namespace: "a" }),
    ];
    await store.commit([
      ...create(...memories),
      { record: "relation", before: null, after: aRelation({ id: "r2" }) },
      { record: "relation", before: null, after: aRelation({ id: "r1", namespace: "work" }) },
      { record: "relation", before: null, after: aRelation({ id: "r0", undone: true }) },
      { record: "issue", before: null, after: anIssue({ id: "i2", status: "closed" }) },
      { record: "issue", before: null, after: anIssue({ id: "i1", undone: true }) },
    ]);
    await store.recordUses([
      aUse({ id: "u3", at: BUILT_AT + 5 }),
      aUse({ id: "u2" }),
      aUse({ id: "u1" }),
    ]);
    const snapshot = await store.snapshot();
    expect(snapshot.memories.map(({ id }) => id)).toEqual(["z", "a", "b"]);
    expect(everyRelation(snapshot.relations).map(({ id }) => id)).toEqual(["r0", "r1", "r2"]);
    expect(visibleRelations(snapshot.relations).map(({ id }) => id)).toEqual(["r1", "r2"]);
    expect(snapshot.issues.map(({ id }) => id)).toEqual(["i1", "i2"]);
    expect(snapshot.uses.map(({ id }) => id)).toEqual(["u1", "u2", "u3"]);
    expect(await store.read("relation")).toHaveLength(3);
  });

  it("vectors follow the order asked for, also for memories the store never saw", async ({
    store,
  }) => {
    const [tea, deploy] = [aMemory({ id: "a" }), aMemory({ id: "b", content: "Deploys fail." })];
    await store.commit(create(tea, deploy));
    const snapshot = await store.snapshot();
    const unseen = aMemory({ id: "new", content: tea.content });
    const changed = { ...deploy, content: tea.content };
    const blank = aMemory({ id: "blank", content: "" });
    const matrix = await snapshot.vectors([deploy, tea, unseen, changed, blank, tea]);
    const row = (index: number): Float32Array =>
      matrix.data.slice(index * matrix.dimensions, (index + 1) * matrix.dimensions);
    expect(matrix.rows).toBe(6);
    expect(matrix.data).toHaveLength(6 * matrix.dimensions);
    expect(Math.hypot(...row(0))).toBeCloseTo(1, 5);
    expect(row(0)).not.toEqual(row(1));
    for (const same of [2, 3, 5]) expect(row(same)).toEqual(row(1));
    expect(row(4)).toEqual(new Float32Array(matrix.dimensions));
    expect(await snapshot.vectors([])).toMatchObject({ rows: 0 });
  });
}

function testSearch(it: It): void {
  it("search finds by word and by likeness, and only live memories of the namespace", async ({
    store,
  }) => {
    const tea = aMemory({ id: "tea", content: "Maria drinks green tea in the morning" });
    const promoted = aMemory({ id: "cake", content: "Maria bakes cake", status: "promoted" });
    const gone = aMemory({ id: "gone", content: "green tea", status: "archived" });
    const elsewhere = aMemory({ id: "tea", namespace: "work", content: "green tea" });
    await store.commit([
      ...create(tea, promoted, gone, elsewhere),
      { record: "issue", before: null, after: anIssue({ title: "green tea" }) },
    ]);
    const hits = await store.search({ namespace: "default", text: "green tea" });
    const byId = new Map(hits.map((hit) => [hit.memory.id, hit]));
    expect([...byId.keys()].sort()).toEqual(expect.arrayContaining(["tea"]));
    expect(hits.every(({ memory }) => ["tea", "cake"].includes(memory.id))).toBe(true);
    expect(byId.get("tea")?.memory).toEqual(tea);
    expect(byId.get("tea")?.textScore).toBeGreaterThan(0);
    expect(byId.get("tea")?.cosine).toBeGreaterThan(0.3);
    expect(byId.get("cake")?.textScore ?? 0).toBe(0);
    const [exact] = await store.search({ namespace: "work", text: "green tea" });
    expect(exact?.cosine).toBeCloseTo(1, 5);
  });

  it("search sees an edit at once", async ({ store }) => {
    const memory = aMemory({ content: "The parrot is called Rico" });
    await store.commit(create(memory));
    await store.commit([edit(memory, "The parrot is called Zazu")]);
    const scoreOf = async (text: string): Promise<number | undefined> =>
      (await store.search({ namespace: "default", text }))[0]?.textScore;
    expect(await scoreOf("Zazu")).toBeGreaterThan(0);
    expect((await scoreOf("Rico")) ?? 0).toBe(0);
  });

  it("search keeps to the number of candidates a side", async ({ store }) => {
    const memories = Array.from({ length: 12 }, (_, index) =>
      aMemory({ id: `m${index}`, content: `tea number ${index}` }),
    );
    await store.commit(create(...memories));
    const hits = await store.search({ namespace: "default", text: "tea", candidates: 3 });
    expect(hits.length).toBeGreaterThanOrEqual(3);
    expect(hits.length).toBeLessThanOrEqual(6);
    for (const { cosine, textScore } of hits) {
      expect(cosine).toBeGreaterThan(0);
      expect(textScore).toBeGreaterThan(0);
    }
  });

  it("search takes any text for a query", async ({ store }) => {
    await store.commit(create(aMemory(), aMemory({ id: "jp", content: "日本語 の お茶" })));
    const queries = [
      "",
      " ",
      '"unbalanced',
      "tea AND (NOT",
      "🦥",
      "日本語",
      "'; DROP TABLE records --",
      "nul\0tea",
      "*:?~^[]{}\\/",
      "tea ".repeat(2_000),
    ];
    for (const text of queries) {
      for (const hit of await store.search({ namespace: "default", text })) {
        expect(hit.memory.namespace).toBe("default");
        expect(Number.isFinite(hit.cosine) && Number.isFinite(hit.textScore)).toBe(true);
      }
    }
    const [found] = await store.search({ namespace: "default", text: "日本語 の お茶" });
    expect(found?.memory.id).toBe("jp");
    expect(await store.search({ namespace: "' OR 1=1 --", text: "tea" })).toEqual([]);
  });
}

function testUses(it: It): void {
  it("uses are kept once each, and change no record", async ({ store }) => {
    await store.commit(create(aMemory()));
    const before = (await store.snapshot()).version;
    await store.recordUses([aUse(), aUse({ id: "u2", at: BUILT_AT - 5, kind: "review" })]);
    await store.recordUses([aUse(), aUse({ id: "u3" }), aUse({ id: "u3" })]);
    await store.recordUses([]);
    const { uses, version, memories } = await store.snapshot();
    expect(uses.map(({ id }) => id)).toEqual(["u2", "u1", "u3"]);
    expect(uses[0]).toEqual(aUse({ id: "u2", at: BUILT_AT - 5, kind: "review" }));
    expect(version.records).toBe(before.records);
    expect(version.uses).toBeGreaterThan(before.uses);
    expect(memories).toEqual([aMemory()]);
  });

  it("readNewest gives a page of what matches, newest first, then by namespace and id", async ({
    store,
  }) => {
    const odd = "lone \ud800 surrogate";
    const memories = ["default", "work", odd, "lone \ufffd surrogate"].flatMap((namespace) =>
      ["b", 'quo"ted', "a", "z"].map((id, index) =>
        aMemory({ namespace, id, createdAt: BUILT_AT + (index % 2), content: `${id} of tea` }),
      ),
    );
    const archived = aMemory({
      id: "old",
      createdAt: BUILT_AT + 9,
      status: "archived",
      archivedAt: BUILT_AT + 9,
      archivedReason: "forgotten",
    });
    await store.commit(create(...memories, archived));
    for (const filter of [
      {},
      { status: ["active" as const] },
      { namespace: odd },
      { since: BUILT_AT + 1, kind: ["semantic" as const], namespace: "work" },
      { namespace: "nowhere" },
    ]) {
      const all = [...(await store.read("memory", filter))].sort(compareNewest);
      for (const [offset, limit] of [[0, 3] as const, [2, 100] as const, [100, 1] as const]) {
        expect(await store.readNewest(filter, { offset, limit })).toEqual({
          total: all.length,
          memories: all.slice(offset, offset + limit),
        });
      }
    }
  });

  it("count gives the numbers by namespace and status, without what was undone", async ({
    store,
  }) => {
    const archived = { status: "archived", archivedAt: BUILT_AT } as const;
    const memories = [
      aMemory({ id: "a" }),
      aMemory({ id: "b", content: 'it says "undone"' }),
      aMemory({ id: "c", ...archived, archivedReason: "forgotten" }),
      aMemory({ id: "d", ...archived, archivedReason: "undone" }),
      aMemory({ id: "e", namespace: "work", ...archived, archivedReason: "undone" }),
    ];
    const [done, undone, nested] = [
      aRelation({ id: "r1" }),
      aRelation({ id: "r2", undone: true }),
      aRelation({ id: "r3", metadata: { undone: true } }),
    ];
    await store.commit(create(...memories));
    await store.commit(
      [done, undone, nested].map((after) => ({ record: "relation", before: null, after })),
    );
    await store.commit([{ record: "issue", before: null, after: anIssue({ undone: true }) }]);
    const [namespace, count] = ["default", 2];
    expect(await store.count("memory")).toEqual([
      { namespace, status: "active", count },
      { namespace, status: "archived", count: 1 },
    ]);
    expect(await store.count("memory", { namespace: "work" })).toEqual([]);
    expect(await store.count("relation")).toEqual([{ namespace, status: null, count }]);
    expect(await store.count("issue")).toEqual([]);
  });

  it("count tells namespaces apart that have no UTF-8", async ({ store }) => {
    const namespaces = ["lone \ud800 surrogate", "lone \ufffd surrogate"];
    await store.commit(create(...namespaces.map((namespace) => aMemory({ namespace }))));
    expect(await store.count("memory")).toEqual(
      namespaces.map((namespace) => ({ namespace, status: "active", count: 1 })),
    );
    for (const namespace of namespaces) {
      expect(await store.count("memory", { namespace })).toHaveLength(1);
    }
  });

  it("readSteps gives what was applied since, without its changes", async ({ store }) => {
    const steps = aJournalEntry().steps.map((step) => ({
      ...step,
      reason: ',"changes":[{"a":1}]',
    }));
    const before = aMemory({ content: '],"revision":9' });
    const changes = [
      { kind: "memory.put", before, after: reviseMemory(before, { content: ',"changes":[' }) },
    ] as const;
    const entry = (id: string, fields: Partial<JournalEntry>) =>
      aJournalEntry({ id, at: BUILT_AT, state: "applied", steps, changes, ...fields });
    const entries = [
      entry("r/2", {}),
      entry("r/1", { at: BUILT_AT + 1, revision: 12 }),
      entry("r/3", { changes: [] }),
      entry("old", { at: BUILT_AT - 1 }),
      entry("prepared", { state: "prepared" }),
    ];
    await store.commit(entries.map((after) => ({ record: "journal", before: null, after })));
    const read = await store.readSteps(BUILT_AT);
    expect(read.map(({ id }) => id)).toEqual(["r/1", "r/2", "r/3"]);
    const [second] = entries;
    if (second === undefined) throw new Error("no entry");
    const { changes: _changes, ...expected } = second;
    expect(read[1]).toEqual(expected);
    expect(read[0]).toMatchObject({ revision: 12, steps });
  });

  it("readUses gives the events of the memories asked for", async ({ store }) => {
    await store.recordUses([
      aUse({ id: "a" }),
      aUse({ id: "b", memoryId: "o'brien" }),
      aUse({ id: "c", namespace: "work" }),
    ]);
    const ids = async (...query: Parameters<MemoryStore["readUses"]>): Promise<string[]> =>
      (await store.readUses(...query)).map(({ id }) => id);
    expect(await ids({ namespace: "default" })).toEqual(["a", "b"]);
    expect(await ids({ namespace: "default", memoryIds: ["o'brien"] })).toEqual(["b"]);
    expect(await ids({ namespace: "default", memoryIds: [] })).toEqual([]);
    expect(await ids({ namespace: "work" })).toEqual(["c"]);
  });

  it("uses recorded at once are all kept, each once", async ({ store }) => {
    await Promise.all(
      Array.from({ length: 6 }, (_, index) =>
        store.recordUses([aUse({ id: "shared" }), aUse({ id: `own-${index}` })]),
      ),
    );
    expect(await store.readUses({ namespace: "default" })).toHaveLength(7);
  });
}

function testPurge(it: It): void {
  it("purge removes records for good, with the uses of their memories alone", async ({ store }) => {
    const [gone, kept] = [aMemory({ id: "o'brien" }), aMemory({ id: "kept" })];
    const relation = aRelation({ from: gone.id, to: kept.id });
    await store.commit([
      ...create(gone, kept, aMemory({ id: gone.id, namespace: "work" })),
      { record: "relation", before: null, after: relation },
    ]);
    await store.recordUses([
      aUse({ id: "u1", memoryId: gone.id }),
      aUse({ id: "u2", memoryId: kept.id }),
      aUse({ id: "u3", memoryId: gone.id, namespace: "work" }),
    ]);
    const images = [
      { record: "memory", value: gone },
      { record: "relation", value: relation },
    ] as const;
    expect(await store.purge(images)).toEqual({ ok: true });
    const { memories, relations, uses } = await store.snapshot();
    expect(memories.map(({ namespace, id }) => [namespace, id])).toEqual([
      ["default", "kept"],
      ["work", "o'brien"],
    ]);
    expect(everyRelation(relations)).toEqual([]);
    expect(uses.map(({ id }) => id).sort()).toEqual(["u2", "u3"]);
    // Gone already counts as removed, and the id is free again.
    expect(await store.purge(images)).toEqual({ ok: true });
    expect(await store.commit(create(gone))).toMatchObject({ ok: true });
  });

  it("purge removes nothing where one of the records stands differently", async ({ store }) => {
    const [a, b] = [aMemory({ id: "a" }), aMemory({ id: "b" })];
    await store.commit(create(a, b));
    const after = reviseMemory(b, { content: "changed" });
    await store.commit([{ record: "memory", before: b, after }]);
    const result = await store.purge([
      { record: "memory", value: a },
      { record: "memory", value: b },
    ]);
    expect(result).toEqual({ ok: false, moved: [{ record: "memory", value: b }] });
    expect((await store.read("memory")).map(({ id }) => id)).toEqual(["a", "b"]);
  });

  it("a commit decided on what was purged meanwhile is refused", async ({ store }) => {
    const memory = aMemory();
    await store.commit(create(memory));
    await store.purge([{ record: "memory", value: memory }]);
    const after = reviseMemory(memory, { content: "too late" });
    const result = await store.commit([{ record: "memory", before: memory, after }]);
    expect(result).toMatchObject({ ok: false, conflicts: [{ found: null }] });
  });
}

function testLease(it: It): void {
  const ask = (token: string, now: number) => ({
    holder: `host:${token}`,
    token,
    now,
    until: now + 100,
  });

  it("the lease has one holder until it is released or runs out", async ({ store }) => {
    expect(await store.acquireLease(ask("a", 0))).toEqual({ ok: true });
    expect(await store.acquireLease(ask("b", 99))).toEqual({
      ok: false,
      holder: "host:a",
      until: 100,
    });
    expect(await store.acquireLease(ask("a", 50))).toEqual({ ok: true });
    expect(await store.acquireLease(ask("b", 149))).toMatchObject({ ok: false, until: 150 });
    expect(await store.acquireLease(ask("b", 150))).toEqual({
      ok: true,
      replaced: { holder: "host:a", until: 150 },
    });
    expect(await store.releaseLease("a")).toBe(false);
    expect(await store.releaseLease("b")).toBe(true);
    expect(await store.releaseLease("b")).toBe(false);
    expect(await store.acquireLease(ask("c", 151))).toEqual({ ok: true });
  });

  it("of many who ask at once exactly one gets the lease", async ({ store }) => {
    const tokens = ["a", "b", "c", "d", "e"];
    const results = await Promise.all(tokens.map((token) => store.acquireLease(ask(token, 0))));
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
  });

  it("the lease of a holder known to be dead is taken over by exactly one", async ({ store }) => {
    await store.acquireLease(ask("a", 0));
    const takeOver = { takeOverFrom: "host:a" };
    expect(await store.acquireLease({ ...ask("b", 1), takeOverFrom: "host:x" })).toMatchObject({
      ok: false,
    });
    const results = await Promise.all(
      ["b", "c"].map((token) => store.acquireLease({ ...ask(token, 1), ...takeOver })),
    );
    expect(results.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await store.releaseLease("a")).toBe(false);
  });

  it("the lease shows in no record", async ({ store }) => {
    await store.acquireLease(ask("a", 0));
    const { memories, relations, issues, uses } = await store.snapshot();
    expect([...memories, ...everyRelation(relations), ...issues, ...uses]).toEqual([]);
  });
}

function testReopening(it: It): void {
  it("maintenance changes nothing that can be read", async ({ store }) => {
    const memories = Array.from({ length: 25 }, (_, index) =>
      aMemory({ id: `m${index}`, content: `Fact number ${index} about tea` }),
    );
    for (const memory of memories) await store.commit(create(memory));
    await store.recordUses([aUse()]);
    const before = await store.snapshot();
    const report = await store.maintain(BUILT_AT);
    expect(report.fragments).toBeGreaterThan(0);
    const after = await store.snapshot();
    expect(after.memories).toEqual(before.memories);
    expect(after.uses).toEqual(before.uses);
    expect((await after.vectors(after.memories)).data).toEqual(
      (await before.vectors(before.memories)).data,
    );
    expect(await store.search({ namespace: "default", text: "tea" })).toHaveLength(25);
    expect(await store.commit(create(aMemory({ id: "last" })))).toMatchObject({ ok: true });
  });

  it("a second handle sees what the first one wrote, and the first what the second did", async ({
    store,
    reopen,
  }) => {
    if (!reopen) return;
    await store.commit(create(aMemory({ id: "a" })));
    await store.recordUses([aUse()]);
    const other = await reopen("write");
    expect(other.storeId).toBe(store.storeId);
    expect(await other.read("memory")).toEqual([aMemory({ id: "a" })]);
    expect(await other.readUses({ namespace: "default" })).toEqual([aUse()]);
    await other.commit(create(aMemory({ id: "b" })));
    expect((await store.snapshot()).memories).toHaveLength(2);
    await store.acquireLease({ holder: "h", token: "t", now: 0, until: 10 });
    expect(await other.acquireLease({ holder: "i", token: "s", now: 5, until: 10 })).toMatchObject({
      ok: false,
      holder: "h",
    });
    await other.close();
  });

  it("a handle for reading reads all and writes nothing", async ({ store, reopen }) => {
    if (!reopen) return;
    await store.commit(create(aMemory()));
    const reader = await reopen("read");
    expect(reader.writable).toBe(false);
    expect((await reader.snapshot()).memories).toEqual([aMemory()]);
    const [hit] = await reader.search({ namespace: "default", text: "green tea" });
    expect(hit?.textScore).toBeGreaterThan(0);
    for (const work of [
      reader.commit(create(aMemory({ id: "b" }))),
      reader.commit([]),
      reader.recordUses([aUse()]),
      reader.acquireLease({ holder: "h", token: "t", now: 0, until: 10 }),
      reader.releaseLease("t"),
      reader.maintain(0),
    ]) {
      expect(await rejection(work)).toBe("store_unavailable");
    }
    expect((await store.snapshot()).memories).toEqual([aMemory()]);
    await reader.close();
  });

  it("a closed store refuses all work, and may be closed again", async ({ store }) => {
    await store.close();
    await store.close();
    expect(await rejection(store.snapshot())).toBe("store_unavailable");
    expect(await rejection(store.commit(create(aMemory())))).toBe("store_unavailable");
  });
}
