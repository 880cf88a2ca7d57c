import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { expect, test, vi } from "vitest";
import type { ConflictPolicy } from "../../src/intake/decide-memory.ts";
import { DAY_MS, toIso } from "../../src/model/instant.ts";
import type { Memory } from "../../src/model/memory.ts";
import { aMemory, aUse } from "../builders.ts";
import {
  aFolder,
  aStore,
  capitalisedWords,
  change,
  importLines,
  importPath,
  memoriesOf,
  memoryOf,
  NOW,
  textOf,
} from "./import-text.ts";

const NOTHING = { added: 0, updated: 0, quarantined: 0, replaced: 0, flagged: 0 };

test("importMemories loads plain records with what they state, and the rest into extra", async () => {
  const store = aStore();
  const record = {
    id: "m1",
    content: "Maria moved to Berlin",
    tags: ["home"],
    created_at: 1_700_000_000,
    lastUsed: "2024-01-02T03:04:05Z",
    useCount: 3,
    strength: 1.5,
    source: "chat",
    context: null,
    mood: { score: 0.25 },
  };
  const report = await importLines([record], { store, extractEntities: capitalisedWords });
  expect(report).toMatchObject({ ...NOTHING, format: "jsonl", read: 1, added: 1 });
  expect(report).not.toHaveProperty("quarantinePath");
  expect(await memoryOf(store, "m1")).toEqual(
    aMemory({
      id: "m1",
      content: "Maria moved to Berlin",
      tags: ["home"],
      entities: ["Maria", "Berlin"],
      source: "chat",
      extra: { mood: { score: 0.25 } },
      createdAt: 1_700_000_000_000,
      baseUseCount: 3,
      baseLastUsedAt: Date.parse("2024-01-02T03:04:05Z"),
      strength: 1.5,
      provenance: [{ agent: "import:jsonl", factId: "m1", at: NOW }],
      importHash: expect.any(String),
    }),
  );
});

test("importMemories keeps the entities that a record states", async () => {
  const store = aStore();
  const record = { id: "m1", content: "Maria moved", entities: ["maria-42"] };
  await importLines([record], { store, extractEntities: capitalisedWords });
  expect((await memoryOf(store, "m1")).entities).toEqual(["maria-42"]);
});

test("importMemories reads a stream", async () => {
  const store = aStore();
  const stream = Readable.from([Buffer.from('{"content": "o'), Buffer.from('ne"}\n')]);
  const report = await importPath(stream, { store });
  expect(report).toMatchObject({ format: "jsonl", added: 1 });
});

test.skipIf(process.platform === "win32")(
  "importMemories reads a pipe that has a path, and leaves no copy behind",
  async () => {
    const folder = aFolder();
    vi.stubEnv("TMPDIR", folder);
    const pipe = path.join(folder, "pipe");
    execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
    const written = writeFile(pipe, textOf([{ content: "x" }, { content: "y" }]));
    const quarantinePath = path.join(folder, "q");
    const report = await importPath(pipe, { store: aStore(), quarantinePath });
    expect(report).toMatchObject({ format: "jsonl", added: 2 });
    await written;
    expect(readdirSync(folder)).toEqual(["pipe"]);
  },
);

test("importMemories stops waiting for a stream when it is interrupted", async () => {
  const controller = new AbortController();
  const endless = new Readable({ read: () => {} });
  const done = importPath(endless, { store: aStore(), signal: controller.signal });
  controller.abort(new Error("stop"));
  await expect(done).rejects.toMatchObject({ code: "interrupted" });
});

test("importMemories tells of new memories once they are committed", async () => {
  const store = aStore();
  const told: string[] = [];
  const onAdded = async (memories: readonly Memory[]) => {
    expect(await memoriesOf(store)).toHaveLength(2);
    told.push(...memories.map(({ id }) => id));
  };
  const lines = [{ id: "a", content: "x" }, { id: "b", content: "y" }, "{"];
  await importLines(lines, { store, onAdded });
  await importLines(lines, { store, onAdded });
  expect(told).toEqual(["a", "b"]);
});

test("importMemories names a memory without id after its content, and keeps both of two that differ elsewhere", async () => {
  const store = aStore();
  const lines = [
    { content: "ok", source: "a" },
    { content: "ok", source: "b" },
    { content: "ok", source: "a" },
  ];
  expect(await importLines(lines, { store })).toMatchObject({ read: 3, added: 2, unchanged: 1 });
  expect((await memoriesOf(store)).map(({ source }) => source).sort()).toEqual(["a", "b"]);
  expect(await importLines(lines, { store })).toMatchObject({ ...NOTHING, unchanged: 3 });
});

test.each([
  ["a cut line", '{"content": "x', /not one JSON object/],
  ["two objects on a line", '{"content":"x"}{"content":"y"}', /not one JSON object/],
  ["Python's NaN", '{"content":"x","strength":NaN}', /not one JSON object/],
  ["a list", "[1]", /expected a JSON object, got an array/],
  ["no content", { id: "a" }, /^content: /],
  ["content of spaces", { content: " \n\t" }, /^content: expected a text, got only white space/],
  ["content that is a number", { content: 5 }, /^content: /],
  ["a million characters and one", { content: "x".repeat(1_000_001) }, /at most 1,000,000/],
  ["a negative count", { content: "x", use_count: -1 }, /^use_count: /],
  ["a count with a fraction", { content: "x", use_count: 1.5 }, /^use_count: /],
  ["a strength beyond 2", { content: "x", strength: 2.1 }, /^strength: /],
  ["an unknown status", { content: "x", status: "frozen" }, /^status: /],
  ["tags that are a text", { content: "x", tags: "a" }, /^tags: /],
  [
    "a day that does not exist",
    { content: "x", created_at: "2026-02-31" },
    /^created_at: expected a time/,
  ],
  ["an empty id", { content: "x", id: "" }, /^id: /],
  ["NUL in the content", { content: "a\0b" }, /NUL/],
  ["NUL in an unknown field", { content: "a", deep: [{ note: "\0" }] }, /NUL/],
  ["half of an emoji", '{"content":"\\ud83d"}', /surrogate/],
  ["a field named __proto__", '{"content":"x","__proto__":1}', /__proto__/],
  ["an extra that is a text", { content: "x", extra: "y" }, /^extra: /],
])(
  "importMemories sets %s aside with the reason, and loads the rest",
  async (_name, line, reason) => {
    const store = aStore();
    const lines = [{ content: "before" }, line, { content: "after" }];
    const report = await importLines(lines, { store });
    expect(report).toMatchObject({ read: 3, added: 2, quarantined: 1 });
    const [entry, ...more] = readFileSync(report.quarantinePath ?? "", "utf8")
      .trimEnd()
      .split("\n");
    expect(more).toEqual([]);
    expect(JSON.parse(entry ?? "")).toEqual({
      file: "memories.jsonl",
      line: 2,
      reason: expect.stringMatching(reason),
      raw: typeof line === "string" ? line : JSON.stringify(line),
    });
  },
);

test("importMemories lists every problem of a line", async () => {
  const line = { content: "", strength: 9, status: "?" };
  const report = await importLines([line, { content: "x" }], { store: aStore() });
  const entry = JSON.parse(readFileSync(report.quarantinePath ?? "", "utf8"));
  expect(entry.reason).toMatch(/content: .*; strength: .*; status: /);
});

test("importMemories takes emoji, a million characters and a kind of another system", async () => {
  const store = aStore();
  const lines = [
    { id: "a", content: "👩‍👩‍👧 \ud83d\ude00" },
    { id: "b", content: "x".repeat(1_000_000) },
    { id: "c", content: "likes tea", kind: "preference" },
    { id: 7, content: "numbered" },
  ];
  expect(await importLines(lines, { store })).toMatchObject({ added: 4, quarantined: 0 });
  expect((await memoryOf(store, "a")).content).toBe("👩‍👩‍👧 😀");
  expect(await memoryOf(store, "c")).toMatchObject({
    kind: "semantic",
    extra: { kind: "preference" },
  });
  expect((await memoryOf(store, "7")).content).toBe("numbered");
});

test("importMemories sets a second record of an id aside in a plain file, naming the first", async () => {
  const store = aStore();
  const lines = [
    { id: "a", content: "one" },
    { id: "a", content: "two" },
    { id: "a", content: "one" },
    { id: "a", content: "two", namespace: "other" },
  ];
  const report = await importLines(lines, { store });
  expect(report).toMatchObject({ read: 4, added: 2, unchanged: 1, quarantined: 1 });
  expect(readFileSync(report.quarantinePath ?? "", "utf8")).toMatch(/the id a is taken .*line 1/);
});

test("importMemories puts records without a namespace into the one it is given", async () => {
  const store = aStore();
  const lines = [
    { id: "a", content: "x" },
    { id: "b", content: "y", namespace: "home" },
  ];
  await importLines(lines, { store, namespace: "work" });
  expect((await memoriesOf(store)).map(({ id, namespace }) => [namespace, id])).toEqual([
    ["home", "b"],
    ["work", "a"],
  ]);
});

test("importMemories sets a time in the future to now, says so, and keeps what the file said", async () => {
  const store = aStore();
  const ahead = toIso(NOW + 10 * DAY_MS);
  const lines = [
    { id: "a", content: "x", created_at: ahead, expires_at: ahead },
    { id: "b", content: "y", created_at: NOW + DAY_MS },
  ];
  expect(await importLines(lines, { store })).toMatchObject({ added: 2, flagged: 1 });
  expect(await memoryOf(store, "a")).toMatchObject({
    createdAt: NOW,
    expiresAt: NOW + 10 * DAY_MS,
    extra: { original_times: { createdAt: ahead } },
  });
  expect((await memoryOf(store, "b")).createdAt).toBe(NOW + DAY_MS);
  expect(await importLines(lines, { store, now: NOW + 1 })).toMatchObject({
    ...NOTHING,
    unchanged: 2,
  });
});

test.each([
  ["edited", { content: "y" }],
  ["archived as decayed", { status: "archived", archivedReason: "decayed", archivedAt: NOW }],
  ["merged", { status: "archived", archivedReason: "merged", supersededBy: "z", archivedAt: NOW }],
  ["promoted", { status: "promoted", vaultPath: "x.md", promotedAt: NOW }],
] as const)(
  "importMemories leaves a memory that was %s since alone when the file is the same",
  async (_name, fields) => {
    const store = aStore();
    await importLines([{ id: "a", content: "x" }], { store });
    await change(store, "a", fields);
    const before = await memoryOf(store, "a");
    expect(await importLines([{ id: "a", content: "x" }], { store })).toMatchObject({
      ...NOTHING,
      unchanged: 1,
    });
    expect(await memoryOf(store, "a")).toEqual(before);
  },
);

test("importMemories takes a changed text over an untouched memory, and what it gathered here stays", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x" }], { store });
  await change(store, "a", {
    status: "promoted",
    vaultPath: "x.md",
    promotedAt: NOW,
    pinned: true,
  });
  const report = await importLines([{ id: "a", content: "y", tags: ["t"] }], { store });
  expect(report).toMatchObject({ ...NOTHING, updated: 1 });
  expect(await memoryOf(store, "a")).toMatchObject({
    content: "y",
    tags: ["t"],
    status: "promoted",
    vaultPath: "x.md",
    pinned: true,
    revision: 3,
  });
});

test("importMemories sets a text aside that was changed on both sides, again on every import", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x" }], { store });
  await change(store, "a", { content: "here" });
  for (let times = 0; times < 2; times += 1) {
    const report = await importLines([{ id: "a", content: "there" }], { store });
    expect(report).toMatchObject({ updated: 0, quarantined: 1 });
    expect(readFileSync(report.quarantinePath ?? "", "utf8")).toMatch(/changed on both sides/);
  }
  expect((await memoryOf(store, "a")).content).toBe("here");
});

test.each([
  ["keep", "here", { unchanged: 1 }],
  ["replace", "there", { updated: 1 }],
] as const)(
  "importMemories with the policy %s settles a text that was changed on both sides",
  async (onConflict: ConflictPolicy, content, counts) => {
    const store = aStore();
    await importLines([{ id: "a", content: "x" }], { store });
    await change(store, "a", { content: "here" });
    const lines = [{ id: "a", content: "there" }];
    expect(await importLines(lines, { store, onConflict })).toMatchObject({
      quarantined: 0,
      ...counts,
    });
    expect((await memoryOf(store, "a")).content).toBe(content);
  },
);

test("importMemories sets a text aside that stands under the id of a memory made here", async () => {
  const store = aStore();
  await store.commit([
    { record: "memory", before: null, after: aMemory({ id: "a", content: "x" }) },
  ]);
  const report = await importLines([{ id: "a", content: "y" }], { store });
  expect(readFileSync(report.quarantinePath ?? "", "utf8")).toMatch(/another text under the id a/);
});

test("importMemories keeps a text edited here when only other fields of the file changed", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x", tags: ["one"] }], { store });
  await change(store, "a", { content: "here", tags: ["one", "mine"] });
  const report = await importLines([{ id: "a", content: "x", tags: ["two"], use_count: 4 }], {
    store,
  });
  expect(report).toMatchObject({ ...NOTHING, updated: 1 });
  expect(await memoryOf(store, "a")).toMatchObject({
    content: "here",
    tags: ["one", "mine", "two"],
    baseUseCount: 4,
  });
});

test("importMemories remembers a text that both sides came to agree on", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x" }], { store });
  await change(store, "a", { content: "y" });
  await importLines([{ id: "a", content: "y" }], { store });
  expect(await importLines([{ id: "a", content: "y" }], { store })).toMatchObject({ unchanged: 1 });
  expect(await importLines([{ id: "a", content: "z" }], { store })).toMatchObject({ updated: 1 });
});

test.each(["forgotten", "deleted", "undone"] as const)(
  "importMemories does not bring back a memory that is %s, whatever the file says now",
  async (archivedReason) => {
    const store = aStore();
    await importLines([{ id: "a", content: "x" }], { store });
    await change(store, "a", { status: "archived", archivedReason, archivedAt: NOW });
    expect(await importLines([{ id: "a", content: "y" }], { store })).toMatchObject({
      ...NOTHING,
      unchanged: 1,
    });
    expect(await memoryOf(store, "a")).toMatchObject({ content: "x", status: "archived" });
  },
);

test("importMemories brings a merged memory back for a new text, and not for another use", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x" }], { store });
  const merged = {
    status: "archived",
    archivedReason: "merged",
    supersededBy: "z",
    archivedAt: NOW,
  } as const;
  await change(store, "a", merged);
  await importLines([{ id: "a", content: "x", use_count: 2 }], { store });
  expect(await memoryOf(store, "a")).toMatchObject({ ...merged, baseUseCount: 2 });
  await importLines([{ id: "a", content: "y" }], { store });
  const back = await memoryOf(store, "a");
  expect(back).toMatchObject({ content: "y", status: "active" });
  expect(back).not.toHaveProperty("supersededBy");
  expect(back).not.toHaveProperty("archivedReason");
});

test("importMemories brings a decayed memory back when it was used at its source", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x", created_at: 1 }], { store });
  await change(store, "a", { status: "archived", archivedReason: "decayed", archivedAt: NOW });
  await importLines([{ id: "a", content: "x", created_at: 1, tags: ["t"] }], { store });
  expect(await memoryOf(store, "a")).toMatchObject({ status: "archived", tags: ["t"] });
  await importLines([{ id: "a", content: "x", created_at: 1, use_count: 1, last_used: NOW }], {
    store,
  });
  expect(await memoryOf(store, "a")).toMatchObject({ status: "active", baseLastUsedAt: NOW });
});

test("importMemories does not count a use twice that was recorded here and comes back in a file", async () => {
  const store = aStore();
  const line = { id: "a", content: "x", created_at: 1, use_count: 1 };
  await importLines([line], { store });
  await store.recordUses([
    aUse({ memoryId: "a", at: NOW - 5 }),
    aUse({ id: "u2", memoryId: "a", at: NOW - 4 }),
  ]);
  const counted = { ...line, use_count: 3, last_used: NOW - 4 };
  expect(await importLines([counted], { store })).toMatchObject({ ...NOTHING, unchanged: 1 });
  await importLines([{ ...counted, use_count: 4 }], { store });
  expect((await memoryOf(store, "a")).baseUseCount).toBe(2);
});

test("importMemories takes back what an earlier file archived", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x", status: "archived" }], { store });
  expect(await memoryOf(store, "a")).toMatchObject({ status: "archived", archivedAt: NOW });
  await importLines([{ id: "a", content: "x" }], { store });
  expect((await memoryOf(store, "a")).status).toBe("active");
});

test("importMemories commits in batches, and what was committed before an interruption stays", async () => {
  const store = aStore();
  const lines = Array.from({ length: 5003 }, (_, index) => ({
    id: `m${index}`,
    content: `fact ${index}`,
  }));
  const controller = new AbortController();
  const progress = {
    start: () => {},
    advance: () => controller.abort(new Error("stop")),
    finish: () => {},
    note: () => {},
  };
  await expect(
    importLines(lines, { store, progress, signal: controller.signal }),
  ).rejects.toMatchObject({ code: "interrupted" });
  expect(await memoriesOf(store)).toHaveLength(5000);
  expect(await importLines(lines, { store })).toMatchObject({ added: 3, unchanged: 5000 });
});

test("importMemories knows what stands in the store also behind a batch of new memories alone", async () => {
  const store = aStore();
  const known = ["same", "edited", "gone"].map((id) => ({ id, content: `${id} before` }));
  await importLines(known, { store });
  const fresh = Array.from({ length: 5000 }, (_, index) => ({ id: `m${index}`, content: "new" }));
  const report = await importLines(
    [
      ...fresh,
      { id: "same", content: "same before" },
      { id: "edited", content: "edited after" },
      { id: "gone", _deleted: true },
      { id: "last", content: "also new" },
    ],
    { store, now: NOW + DAY_MS },
  );
  expect(report).toMatchObject({ added: 5001, unchanged: 1, updated: 2, quarantined: 0 });
  expect(await memoryOf(store, "edited")).toMatchObject({ content: "edited after", revision: 2 });
  expect(await memoryOf(store, "gone")).toMatchObject({ archivedReason: "deleted" });
  expect(await memoryOf(store, "same")).toMatchObject({ revision: 1 });
});

test("importMemories decides again where the store moved on between reading and writing", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x" }], { store });
  let interfered = false;
  const commit: typeof store.commit = async (puts) => {
    if (!interfered) {
      interfered = true;
      await change(store, "a", { pinned: true });
    }
    return store.commit(puts);
  };
  await importLines([{ id: "a", content: "y" }], { store: { ...store, commit } });
  expect(await memoryOf(store, "a")).toMatchObject({ content: "y", pinned: true, revision: 3 });
});

test("importMemories gives up on a store that never stands still", async () => {
  const store = aStore();
  await importLines([{ id: "a", content: "x" }], { store });
  const commit: typeof store.commit = async (puts) => {
    await change(store, "a", { pinned: true });
    return store.commit(puts);
  };
  await expect(
    importLines([{ id: "a", content: "y" }], { store: { ...store, commit } }),
  ).rejects.toMatchObject({ code: "store_conflict", message: expect.stringContaining("memory a") });
});

test.each(["jsonl", "cortexgraph", "mcp", "markdown"] as const)(
  "importMemories refuses an empty file as %s: there is nothing to import",
  async (from) => {
    const file = path.join(aFolder({ f: "" }), "f");
    await expect(importPath(file, { store: aStore(), from })).rejects.toMatchObject({
      code: "input",
      message: expect.stringContaining("nothing to import"),
    });
  },
);

test("importMemories says which quarantine file cannot be written", async () => {
  const folder = aFolder({ "in.jsonl": textOf(["{"]), blocked: "a file, no folder" });
  const quarantinePath = path.join(folder, "blocked", "q.jsonl");
  const source = path.join(folder, "in.jsonl");
  await expect(
    importPath(source, { store: aStore(), from: "jsonl", quarantinePath }),
  ).rejects.toMatchObject({ code: "input", message: expect.stringContaining("q.jsonl") });
});
