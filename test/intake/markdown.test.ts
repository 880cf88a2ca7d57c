import { readFileSync, symlinkSync, utimesSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { aFolder, aStore, capitalisedWords, importPath, memoriesOf, NOW } from "./import-text.ts";

async function importVault(files: Readonly<Record<string, string | Buffer>>) {
  const store = aStore();
  const folder = aFolder(files);
  const report = await importPath(folder, { store, extractEntities: capitalisedWords });
  return { store, folder, report, memories: await memoriesOf(store) };
}

test("importMemories takes a note for a memory, with tags and times of its frontmatter and the rest in extra", async () => {
  const { memories, report } = await importVault({
    "people/Maria.md": [
      "---",
      "tags: [person, '#vip', 007, no]",
      "aliases: [Mary]",
      "created: 2024-05-13T20:00:00-04:00",
      "updated: 2024-06-01",
      "status: in-progress",
      "rating: 4.5",
      "---",
      "",
      "# Maria",
      "Lives in Berlin. #city/berlin, not a tag: #1 and `#code`",
      "",
    ].join("\n"),
  });
  expect(report).toMatchObject({ format: "markdown", read: 1, added: 1, quarantined: 0 });
  expect(memories[0]).toMatchObject({
    id: expect.stringMatching(/^md-/),
    content: "# Maria\nLives in Berlin. #city/berlin, not a tag: #1 and `#code`",
    tags: ["person", "vip", "007", "no", "city/berlin"],
    entities: ["Maria", "Lives", "Berlin"],
    createdAt: Date.parse("2024-05-14T00:00:00Z"),
    baseLastUsedAt: Date.parse("2024-06-01"),
    status: "active",
    source: "people/Maria.md",
    extra: { aliases: ["Mary"], status: "in-progress", rating: 4.5 },
  });
});

test("importMemories changes nothing for a vault that was only touched or copied", async () => {
  const { store, folder } = await importVault({ "a.md": "one", "b.md": "two [[a]]" });
  utimesSync(path.join(folder, "a.md"), 1_600_000_000, 1_600_000_000);
  expect(await importPath(folder, { store })).toMatchObject({
    added: 0,
    updated: 0,
    unchanged: 2,
    relations: { unchanged: 2, added: 0 },
  });
});

test("importMemories keeps the identity of a note that is edited, or that names its own", async () => {
  const { store, folder, memories } = await importVault({ "a.md": "---\nid: 0042\n---\none" });
  expect(memories[0]?.id).toBe("0042");
  const moved = aFolder({ "elsewhere/b.md": "---\nid: 0042\n---\ntwo" });
  expect(await importPath(moved, { store })).toMatchObject({ added: 0, updated: 1 });
  expect(folder).not.toBe(moved);
});

test("importMemories passes over hidden folders, linked folders, other files and notes without text", async () => {
  const folder = aFolder({
    ".obsidian/x.md": "x",
    ".git/x.md": "x",
    ".trash/x.md": "x",
    "picture.png": "x",
    "stub.md": "",
    "only-front.md": "---\ntags: [a]\n---\n",
    "real.md": "real",
  });
  symlinkSync(folder, path.join(folder, "loop"));
  expect(await importPath(folder, { store: aStore() })).toMatchObject({ read: 1, added: 1 });
});

test("importMemories relates notes that link to each other, both ways and once", async () => {
  const { store, memories } = await importVault({
    "Maria.md":
      "Works with [[people/John#Work|him]], [[john]], [[nobody]] and [[Maria]]. `[[Plan]]`",
    "people/John.md":
      '---\naliases: [Johnny]\n---\nKnows ![[Maria]] and [the plan](../The%20Plan.md "x").',
    "The Plan.md": "By [[Johnny]].",
  });
  const idOf = (source: string) => memories.find((memory) => memory.source === source)?.id;
  const [maria, john, plan] = [idOf("Maria.md"), idOf("people/John.md"), idOf("The Plan.md")];
  const links = (await store.read("relation")).map(({ from, to, type }) => [from, to, type]);
  expect(links.sort()).toEqual(
    [
      [maria, john, "related"],
      [john, maria, "related"],
      [john, plan, "related"],
      [plan, john, "related"],
    ].sort(),
  );
});

test("importMemories takes an index file apart: bullets with what hangs below, paragraphs, and headings as context", async () => {
  const { memories } = await importVault({
    "MEMORY.md": [
      "---",
      "tags: index",
      "---",
      "# About",
      "Some words",
      "on two lines.",
      "## Food",
      "- likes tea",
      "  - but not green tea",
      "",
      "  and always hot",
      "* [ ] buys oat milk",
      "",
      "After the list.",
      "```",
      "- no bullet",
      "",
      "# no heading",
      "```",
      "# Work",
      "1. first",
      "2. second",
    ].join("\n"),
  });
  expect(memories.map(({ context, content }) => [context, content]).sort()).toEqual(
    [
      ["About", "Some words\non two lines."],
      ["About > Food", "likes tea\n  - but not green tea\n\n  and always hot"],
      ["About > Food", "buys oat milk"],
      ["About > Food", "After the list.\n```\n- no bullet\n\n# no heading\n```"],
      ["Work", "first"],
      ["Work", "second"],
    ].sort(),
  );
  expect(memories.every(({ tags }) => tags.includes("index"))).toBe(true);
});

test("importMemories keeps the bullets of an index file that stayed, when one is edited", async () => {
  const { store } = await importVault({ "MEMORY.md": "- one\n- two\n- two\n" });
  const edited = aFolder({ "MEMORY.md": "- new\n- one\n- two\n- two\n" });
  expect(await importPath(edited, { store })).toMatchObject({ added: 1, updated: 0, unchanged: 3 });
});

test("importMemories reads one note by its path", async () => {
  const folder = aFolder({
    "2024-03-05 talk.md": "\ufeff---\r\ntags: a, b\r\n---\r\nWe spoke.\r\n",
  });
  const store = aStore();
  await importPath(path.join(folder, "2024-03-05 talk.md"), { store });
  expect(await memoriesOf(store)).toMatchObject([
    {
      content: "We spoke.",
      tags: ["a", "b"],
      source: "2024-03-05 talk.md",
      createdAt: Date.parse("2024-03-05"),
    },
  ]);
});

test.each([
  ["broken YAML", "---\ntags: [a\nx: 1\n---\ntext", /^frontmatter, line \d: /],
  ["a key given twice", "---\na: 1\nb: 2\na: 3\n---\ntext", /^frontmatter, line 4: .*unique/i],
  ["a block that is no mapping", "---\n- a\n---\ntext", /^frontmatter: /],
  ["too many aliases", bomb(), /^frontmatter: .*alias/],
  ["text that is not UTF-8", Buffer.from([0x61, 0xe9, 0x62]), /not UTF-8/],
  ["NUL in the text", "a\0b", /NUL/],
  ["a million characters and one", "x".repeat(1_000_001), /at most 1,000,000/],
])("importMemories sets a note with %s aside and loads the others", async (_name, note, reason) => {
  const { report } = await importVault({ "bad.md": note, "good.md": "fine" });
  expect(report).toMatchObject({ read: 2, added: 1, quarantined: 1 });
  const entry = JSON.parse(readFileSync(report.quarantinePath ?? "", "utf8"));
  expect(entry).toMatchObject({ file: "bad.md", reason: expect.stringMatching(reason) });
});

test("importMemories sets the second of two notes with one id aside", async () => {
  const { report } = await importVault({
    "a.md": "---\nid: x\n---\none",
    "b.md": "---\nid: x\n---\ntwo",
  });
  expect(report).toMatchObject({ added: 1, quarantined: 1 });
});

test.each([
  ["a fence that is not the first line", "\n---\na: 1\n---\nx"],
  ["a fence that is never closed", "---\na: 1"],
  ["escapes in place of line ends", "---\\nstatus: x\\n---\\nbody"],
])("importMemories takes %s for text", async (_name, text) => {
  const { memories } = await importVault({ "a.md": text });
  expect(memories).toMatchObject([{ content: text.trim(), extra: {} }]);
});

test("importMemories dates a note without a time by its file, and never in the future", async () => {
  const folder = aFolder({ "a.md": "old", "b.md": "new" });
  utimesSync(path.join(folder, "a.md"), 1_600_000_000, 1_600_000_000);
  utimesSync(path.join(folder, "b.md"), NOW / 1000 + 1e6, NOW / 1000 + 1e6);
  const store = aStore();
  await importPath(folder, { store });
  const times = (await memoriesOf(store)).map(({ content, createdAt }) => [content, createdAt]);
  expect(Object.fromEntries(times)).toEqual({ old: 1_600_000_000_000, new: NOW });
});

function bomb(): string {
  const levels = Array.from({ length: 8 }, (_, level) =>
    level === 0
      ? "a0: &a0 [x, x, x, x, x, x, x, x, x, x]"
      : `a${level}: &a${level} [${Array(10)
          .fill(`*a${level - 1}`)
          .join(", ")}]`,
  );
  return `---\n${levels.join("\n")}\n---\ntext`;
}
