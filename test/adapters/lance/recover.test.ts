import { readdir, readFile, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { MemoryStore } from "../../../src/ports/memory-store.ts";
import { aMemory, aUse } from "../../builders.ts";
import { openStore, tempFolder } from "./temp-store.ts";

function put(store: MemoryStore, id: string) {
  return store.commit([{ record: "memory", before: null, after: aMemory({ id }) }]);
}

async function ids(store: MemoryStore): Promise<readonly string[]> {
  return (await store.read("memory")).map(({ id }) => id);
}

/** Runs work and gives the files that it made under a folder. */
async function madeBy(folder: string, work: () => Promise<unknown>): Promise<readonly string[]> {
  const before = new Set(await readdir(folder));
  await work();
  return (await readdir(folder))
    .filter((name) => !before.has(name))
    .map((name) => join(folder, name));
}

/**
 * A store in which memory `saved` is safe, and memory `late` was written, but the machine went down before it was: the marker says
 * so, and one of its files is cut short.
 */
async function storeAfterPowerCut(cut: "data" | "_versions"): Promise<string> {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  await put(store, "saved");
  const marker = await readFile(join(uri, "durable.json"));
  const files = await madeBy(join(uri, "records.lance", cut), () => put(store, "late"));
  await store.close();
  expect(files).not.toEqual([]);
  for (const file of files) await truncate(file, 10);
  await writeFile(join(uri, "durable.json"), marker);
  return uri;
}

test.each(["data", "_versions"] as const)(
  "a version whose file under %s was cut short by a power cut is set aside, and said so",
  async (cut) => {
    const uri = await storeAfterPowerCut(cut);
    const notes: string[] = [];
    const store = await openStore({ uri, bootId: "second", onNote: (note) => notes.push(note) });
    expect(await ids(store)).toEqual(["saved"]);
    expect(notes).toEqual([expect.stringContaining("set aside")]);
    expect(await readdir(join(uri, "damaged"))).toEqual([
      expect.stringMatching(/^records-\d+\.manifest$/),
    ]);
    expect(await put(store, "late")).toMatchObject({ ok: true });
    expect(await ids(await openStore({ uri, bootId: "third" }))).toEqual(["late", "saved"]);
  },
);

test("a version that was written whole is kept after a power cut", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  const marker = await readFile(join(uri, "durable.json"));
  await put(store, "late");
  await writeFile(join(uri, "durable.json"), marker);
  const notes: string[] = [];
  const again = await openStore({ uri, bootId: "second", onNote: (note) => notes.push(note) });
  expect(await ids(again)).toEqual(["late"]);
  expect(notes).toEqual([]);
});

test("uses that a power cut spoiled are set aside without touching the records", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  await put(store, "saved");
  await store.recordUses([aUse({ id: "saved" })]);
  const marker = await readFile(join(uri, "durable.json"));
  const data = join(uri, "uses.lance", "data");
  const [file = ""] = await madeBy(data, () => store.recordUses([aUse({ id: "late" })]));
  await truncate(file, 5);
  await writeFile(join(uri, "durable.json"), marker);
  const again = await openStore({ uri, bootId: "second" });
  expect((await again.snapshot()).uses.map(({ id }) => id)).toEqual(["saved"]);
  expect(await ids(again)).toEqual(["saved"]);
});

test("damage in a version that was safe is an error, and everything is left as it was", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  const data = join(uri, "records.lance", "data");
  const [file = ""] = await madeBy(data, () => put(store, "saved"));
  const marker = await readFile(join(uri, "durable.json"));
  await put(store, "late");
  await writeFile(join(uri, "durable.json"), marker);
  await truncate(file, 10);
  const versions = await readdir(join(uri, "records.lance", "_versions"));
  await expect(openStore({ uri, bootId: "second" })).rejects.toMatchObject({
    code: "store_damaged",
    hint: expect.stringContaining("backup"),
  });
  expect(await readdir(join(uri, "records.lance", "_versions"))).toEqual(versions);
});

test("reading a damaged store says that it is damaged, and mends nothing", async () => {
  const uri = await storeAfterPowerCut("data");
  const reading = openStore({ uri, mode: "read", bootId: "second" }).then((store) =>
    store.snapshot(),
  );
  await expect(reading).rejects.toMatchObject({
    code: "store_damaged",
    hint: expect.stringContaining("repair"),
  });
  expect(await readdir(uri)).not.toContain("damaged");
});

test("within one boot nothing is checked: what a process wrote outlives it", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  const marker = await readFile(join(uri, "durable.json"));
  await put(store, "late");
  await writeFile(join(uri, "durable.json"), marker);
  await openStore({ uri, bootId: "first" });
  const reached = JSON.parse(await readFile(join(uri, "durable.json"), "utf8"));
  expect(reached).toMatchObject({ bootId: "first" });
  expect(reached.versions.records).toBeGreaterThan(JSON.parse(marker.toString()).versions.records);
});

test("a store without a marker, or with one cut short, is checked and opens", async () => {
  const uri = join(await tempFolder(), "store");
  await put(await openStore({ uri }), "saved");
  await writeFile(join(uri, "durable.json"), '{"boot');
  expect(await ids(await openStore({ uri }))).toEqual(["saved"]);
  expect(JSON.parse(await readFile(join(uri, "durable.json"), "utf8"))).toHaveProperty("bootId");
});

test("every commit moves the marker on", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  const result = await put(store, "a");
  const marker = JSON.parse(await readFile(join(uri, "durable.json"), "utf8"));
  expect(result).toMatchObject({ ok: true, version: marker.versions.records });
  await store.recordUses([aUse()]);
  const { version } = await store.snapshot();
  expect(JSON.parse(await readFile(join(uri, "durable.json"), "utf8"))).toEqual({
    bootId: "first",
    versions: version,
  });
});
