import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readData } from "../../bench/quality/read-data.ts";

async function folderOf(files: Readonly<Record<string, readonly unknown[]>>): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "quality-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, rows] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(
      path.join(folder, name),
      rows.map((row) => `${JSON.stringify(row)}\n`).join("\n"),
    );
  }
  return folder;
}

const PAIR = { a: "Tea.", b: "Coffee.", label: "contradiction" };

test("readData finds files of every kind below the folder and names rows by folder and source", async () => {
  const folder = await folderOf({
    "pairs.dev.jsonl": [{ ...PAIR, source: "sts" }],
    "nc/pairs.test.jsonl": [{ ...PAIR, source: "sts", score: 2 }],
    "hand-pairs.jsonl": [{ ...PAIR, label: "paraphrase" }],
    "nc/clusters.dev.jsonl": [{ id: "1", text: "Tea.", cluster: "c", source: "s" }],
    "recall.dev.jsonl": [
      {
        id: "store",
        source: "made",
        unit: "fact",
        memories: [{ id: "m", text: "Tea." }],
        questions: [{ q: "What?", evidence: ["m"] }],
      },
    ],
    "real/other.jsonl": [{ anything: 1 }],
  });
  const data = await readData(folder);
  expect(data.pairs.map(({ source, label }) => [source, label])).toEqual([
    ["hand-pairs", "duplicate"],
    ["nc/sts", "contradiction"],
    ["sts", "contradiction"],
  ]);
  expect([...data.clusters.keys()]).toEqual(["nc/clusters.dev.jsonl"]);
  expect(data.stores.map(({ id, source }) => [id, source])).toEqual([["store", "made"]]);
});

test("readData names the file and line of a row that it cannot use", async () => {
  const folder = await folderOf({ "pairs.jsonl": [PAIR, { ...PAIR, label: "maybe" }] });
  await expect(readData(folder)).rejects.toThrow(/pairs\.jsonl:3:[\s\S]*label/u);
});
