import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { stampCode } from "../../../src/adapters/derived-cache/code-stamp.ts";
import { openFileDerivedCache } from "../../../src/adapters/derived-cache/file-derived-cache.ts";
import { createMemoryDerivedCache } from "../../../src/adapters/memory/memory-derived-cache.ts";

async function aFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-derived-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

async function aCache() {
  const folder = path.join(await aFolder(), "derived");
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const open = (storeId = "store") => openFileDerivedCache({ folder, storeId, onNote });
  const files = async (): Promise<readonly string[]> => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map((e) => path.join(e.parentPath, e.name));
  };
  return { cache: open(), open, notes, files };
}

const BYTES = Uint8Array.of(1, 2, 3, 0, 255);

test.each([
  { name: "in files", open: async () => (await aCache()).cache },
  { name: "in memory", open: async () => createMemoryDerivedCache() },
])("what is kept $name reads back by name and basis alone", async ({ open }) => {
  const cache = await open();
  expect(await cache.read("a", "basis")).toBeUndefined();
  await cache.write("a", "basis", Uint8Array.of(9));
  await cache.write("a", "basis", BYTES);
  expect([...((await cache.read("a", "basis")) ?? [])]).toEqual([...BYTES]);
  expect(await cache.read("a", "another basis")).toBeUndefined();
  expect(await cache.read("b", "basis")).toBeUndefined();
});

test("kept results are found by another process and not by another store", async () => {
  const { cache, open } = await aCache();
  await cache.write("a", "basis", BYTES);
  expect(await open().read("a", "basis")).toEqual(Buffer.from(BYTES));
  expect(await open("other").read("a", "basis")).toBeUndefined();
});

test.each([
  { name: "cut short", damage: (file: Buffer) => file.subarray(0, file.length - 1) },
  { name: "cut to its beginning", damage: (file: Buffer) => file.subarray(0, 10) },
  { name: "empty", damage: () => Buffer.alloc(0) },
  {
    name: "changed in one bit",
    damage: (file: Buffer) => {
      const changed = Buffer.from(file);
      changed[changed.length - 2] = (changed.at(-2) ?? 0) ^ 1;
      return changed;
    },
  },
])("a file that is $name counts as none, and a person is told", async ({ damage }) => {
  const { cache, notes, files } = await aCache();
  await cache.write("a", "basis", BYTES);
  const [file = ""] = await files();
  await writeFile(file, damage(await readFile(file)));
  expect(await cache.read("a", "basis")).toBeUndefined();
  expect(notes).toEqual([expect.stringContaining("is damaged")]);
  await cache.write("a", "basis", BYTES);
  expect(await cache.read("a", "basis")).toEqual(Buffer.from(BYTES));
});

test("a file of another layout counts as none without a word", async () => {
  const { cache, notes, files } = await aCache();
  await cache.write("a", "basis", BYTES);
  const [file = ""] = await files();
  await writeFile(file, "slowwave-derived-0\n".padEnd(200, "x"));
  expect(await cache.read("a", "basis")).toBeUndefined();
  expect(notes).toEqual([]);
});

test("several writers at once leave one whole file, of one of them", async () => {
  const { cache, files } = await aCache();
  const contents = Array.from({ length: 8 }, (_, at) => new Uint8Array(10_000 + at).fill(at));
  await Promise.all(contents.map((content) => cache.write("a", "basis", content)));
  const found = await cache.read("a", "basis");
  expect(contents.map((content) => Buffer.from(content))).toContainEqual(found);
  expect(await files()).toHaveLength(1);
});

test("what a crash left beside a file is removed by a later write", async () => {
  const { cache, files } = await aCache();
  await cache.write("a", "basis", BYTES);
  const [file = ""] = await files();
  const [old, young] = [`${file}.1-old`, `${file}.2-young`];
  await writeFile(old, "half");
  await writeFile(young, "half");
  await utimes(old, new Date(0), new Date(0));
  await cache.write("a", "basis", BYTES);
  expect([...(await files())].sort()).toEqual([file, young]);
});

test("what cannot be kept is told and does not fail", async () => {
  const folder = await aFolder();
  const blocked = path.join(folder, "derived");
  await writeFile(blocked, "a file where the folder should be");
  const notes: string[] = [];
  const onNote = (note: string): void => void notes.push(note);
  const cache = openFileDerivedCache({ folder: blocked, storeId: "store", onNote });
  await cache.write("a", "basis", BYTES);
  expect(notes).toEqual([expect.stringContaining("cannot keep results")]);
});

test("a stamp of code changes with names, sizes and times, and with nothing else", async () => {
  const folder = await aFolder();
  await mkdir(path.join(folder, "rules"));
  const file = path.join(folder, "rules", "a.js");
  await writeFile(file, "one");
  const first = await stampCode([folder]);
  expect(await stampCode([folder])).toBe(first);
  const { atime, mtime } = await stat(file);
  await writeFile(file, "three");
  await utimes(file, atime, mtime);
  const resized = await stampCode([folder]);
  expect(resized).not.toBe(first);
  await utimes(file, atime, new Date(mtime.getTime() + 5000));
  expect(await stampCode([folder])).not.toBe(resized);
});
