import {
  copyFile,
  cp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  writeFile,
} from "node:fs/promises";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { SlowwaveError } from "../../../src/model/errors.ts";
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
      "records-files-1",
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
  await put(store, "saved too");
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

type Spoil = (file: string) => Promise<unknown>;
const SPOILS: readonly { readonly how: string; readonly spoil: Spoil }[] = [
  { how: "cut short", spoil: (file) => truncate(file, 40) },
  { how: "emptied", spoil: (file) => truncate(file, 0) },
  {
    how: "filled with zeros",
    spoil: async (file) => writeFile(file, Buffer.alloc((await stat(file)).size)),
  },
  { how: "deleted", spoil: (file) => rm(file) },
];
const PLACES = ["data", "_versions"] as const;
const SPOILT = PLACES.flatMap((place) => SPOILS.map((one) => ({ place, ...one })));

/** All that a store says was safe, whose newest version was then spoilt by hand. */
async function spoiltStore({ place, spoil }: { place: (typeof PLACES)[number]; spoil: Spoil }) {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  await put(store, "saved");
  await put(store, "saved too");
  const [file = ""] = await madeBy(join(uri, "records.lance", place), () => put(store, "newest"));
  await store.close();
  await spoil(file);
  return uri;
}

test.each(SPOILT)(
  "a newest version whose file under $place was $how is set aside by the next writer after a restart, and by a repair",
  async (one) => {
    for (const how of [{ bootId: "second" }, { bootId: "first", repair: true }]) {
      const uri = await spoiltStore(one);
      const notes: string[] = [];
      const store = await openStore({ uri, ...how, onNote: (note) => notes.push(note) });
      expect(await ids(store)).toEqual(["saved", "saved too"]);
      // A version whose manifest is gone leaves nothing to tell of.
      const isTold = one.place === "data" || one.how !== "deleted";
      if (isTold) expect(notes.join()).toContain("What it added is lost");
      expect(await store.verify()).toEqual([]);
      await put(store, "newest");
      expect(await ids(await openStore({ uri, bootId: "third" }))).toHaveLength(3);
    }
  },
);

test("within the boot that made it damage is found by reading all, where opening has not met it", async () => {
  for (const { place, how, spoil } of SPOILT) {
    if (place === "_versions" && how === "deleted") continue;
    const uri = await spoiltStore({ place, spoil });
    const found = await openStore({ uri, bootId: "first" }).then(
      async (store) => (await store.verify()).join(),
      (error: unknown) =>
        error instanceof SlowwaveError ? `${error.code} ${error.hint} ${error.message}` : "",
    );
    expect({ place, how, found }).toMatchObject({
      found: expect.stringMatching(/table records cannot be read|store_damaged .*--repair/),
    });
  }
});

test("a repair goes back as far as it must, keeps what it goes back from, and says how much it was", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  await put(store, "saved");
  const data = join(uri, "records.lance", "data");
  const [file = ""] = await madeBy(data, () => put(store, "lost"));
  for (const id of ["b", "c"]) await put(store, id);
  await store.close();
  const spoilt = await readFile(file);
  await truncate(file, 10);
  await expect(openStore({ uri, bootId: "second" })).rejects.toMatchObject({
    code: "store_damaged",
    hint: expect.stringContaining("doctor --repair"),
  });
  const notes: string[] = [];
  const repaired = await openStore({ uri, repair: true, onNote: (note) => notes.push(note) });
  expect(await ids(repaired)).toEqual(["saved"]);
  expect(notes.join("\n")).toMatch(/counted 7 rows before, and has 4 now/);
  await repaired.maintain(Date.now());
  // With the file as it was, what was set aside is a whole table again.
  const kept = join(uri, "damaged", "records-files-1");
  await writeFile(join(kept, "data", basename(file)), spoilt);
  for (const name of await readdir(join(uri, "damaged"))) {
    if (name.endsWith(".manifest")) {
      const version = BigInt(/-(\d+)\./.exec(name)?.[1] ?? 0);
      const original = `${(2n ** 64n - 1n - version).toString().padStart(20, "0")}.manifest`;
      await copyFile(join(uri, "damaged", name), join(kept, "_versions", original));
    }
  }
  await rename(kept, join(uri, "damaged", "records.lance"));
  await cp(join(uri, "uses.lance"), join(uri, "damaged", "uses.lance"), { recursive: true });
  const rescued = await openStore({ uri: join(uri, "damaged"), mode: "read" });
  expect(await ids(rescued)).toEqual(["b", "c", "lost", "saved"]);
});

test("a table of uses of which nothing can be read, or which is gone, begins anew in a repair alone", async () => {
  for (const isGone of [true, false]) {
    const uri = join(await tempFolder(), "store");
    const store = await openStore({ uri, bootId: "first" });
    await put(store, "saved");
    for (const id of ["u1", "u2", "u3"]) await store.recordUses([aUse({ id })]);
    await store.close();
    const table = join(uri, "uses.lance");
    if (isGone) await rm(table, { recursive: true });
    else
      for (const name of await readdir(join(table, "_versions")))
        await truncate(join(table, "_versions", name), 3);
    for (const mode of ["read", "write"] as const) {
      await expect(
        openStore({ uri, mode, bootId: "second" }).then((opened) => opened.snapshot()),
      ).rejects.toMatchObject({ code: "store_damaged", hint: expect.stringContaining("--repair") });
    }
    const notes: string[] = [];
    const repaired = await openStore({ uri, repair: true, onNote: (note) => notes.push(note) });
    expect(await ids(repaired)).toEqual(["saved"]);
    if (!isGone) expect(notes.join()).toContain("begins anew");
    await repaired.recordUses([aUse({ id: "u4" })]);
    expect((await repaired.snapshot()).uses.map(({ id }) => id)).toEqual(["u4"]);
  }
});

test("a damaged index is made again, and nothing is lost", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  for (const id of ["a", "b"]) await put(store, id);
  await store.dropHistory();
  await store.close();
  const indexes = join(uri, "records.lance", "_indices");
  for (const name of await readdir(indexes, { recursive: true })) {
    if (name.endsWith(".lance")) await truncate(join(indexes, name), 10);
  }
  const notes: string[] = [];
  const again = await openStore({ uri, bootId: "second", onNote: (note) => notes.push(note) });
  expect(notes).toEqual([expect.stringContaining("index")]);
  expect(await ids(again)).toEqual(["a", "b"]);
  const found = await again.search({ namespace: "default", text: "green tea" });
  expect(found.map(({ textScore }) => textScore > 0)).toEqual([true, true]);
});

test("a store whose versions are all gone is damaged, not new", async () => {
  const uri = join(await tempFolder(), "store");
  const store = await openStore({ uri, bootId: "first" });
  await put(store, "saved");
  await store.close();
  await rm(join(uri, "records.lance", "_versions"), { recursive: true });
  for (const how of [{ bootId: "second" }, { repair: true }]) {
    await expect(openStore({ uri, ...how })).rejects.toMatchObject({ code: "store_damaged" });
  }
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
