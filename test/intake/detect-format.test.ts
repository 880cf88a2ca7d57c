import path from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { detectFormat } from "../../src/intake/detect-format.ts";
import { aFolder, textOf } from "./import-text.ts";

const CORTEXGRAPH = { id: "a", content: "x", meta: { tags: [] }, created_at: 1, use_count: 0 };

test.each([
  ["a CortexGraph line", "cortexgraph", textOf([CORTEXGRAPH])],
  [
    "a CortexGraph tombstone before its lines",
    "cortexgraph",
    textOf([{ id: "z", _deleted: true }, CORTEXGRAPH]),
  ],
  ["a file of tombstones alone", "cortexgraph", textOf([{ id: "z", _deleted: true }])],
  [
    "a CortexGraph relation",
    "cortexgraph",
    textOf([{ id: "r", from_memory_id: "a", to_memory_id: "b" }]),
  ],
  ["an entity", "mcp", textOf([{ type: "entity", name: "A", entityType: "t", observations: [] }])],
  [
    "a relation of entities",
    "mcp",
    textOf([{ type: "relation", from: "A", to: "B", relationType: "t" }]),
  ],
  ["a plain record", "jsonl", textOf([{ content: "x" }])],
  ["a plain record behind broken lines", "jsonl", textOf(["{", "]", { content: "x" }])],
  ["a plain record with a byte order mark", "jsonl", `\ufeff${textOf([{ content: "x" }])}`],
])("detectFormat knows %s", async (_name, format, text) => {
  expect(await detectFormat(path.join(aFolder({ "some.jsonl": text }), "some.jsonl"))).toBe(format);
});

test("detectFormat knows folders by the files in them", async () => {
  expect(await detectFormat(aFolder({ "memories.jsonl": "" }))).toBe("cortexgraph");
  expect(await detectFormat(aFolder({ "relations.jsonl": "" }))).toBe("cortexgraph");
  expect(await detectFormat(aFolder({ "deep/note.md": "x" }))).toBe("markdown");
});

test("detectFormat knows a note and a relations file by name", async () => {
  const folder = aFolder({ "MEMORY.md": "- x", "relations.jsonl": "" });
  expect(await detectFormat(path.join(folder, "MEMORY.md"))).toBe("markdown");
  expect(await detectFormat(path.join(folder, "relations.jsonl"))).toBe("cortexgraph");
});

test.each([
  ["nothing", "", /nothing to import/],
  ["white space alone", "\n \r\n", /nothing to import/],
  ["something else", '{"message": "hi"}\n', /none of the known formats/],
  ["a JSON array", '[\n  {"content": "x"}\n]\n', /found a JSON array/],
  ["UTF-16", Buffer.from('\ufeff{"content": "x"}', "utf16le"), /found UTF-16/],
  ["a packed file", gzipSync("x"), /found a gzip file/],
])("detectFormat refuses a file that holds %s", async (_name, content, message) => {
  const file = path.join(aFolder({ f: content }), "f");
  await expect(detectFormat(file)).rejects.toMatchObject({
    code: "input",
    message: expect.stringMatching(message),
    hint: expect.any(String),
  });
});

test("detectFormat refuses a folder without memories, and a path that is not there", async () => {
  await expect(detectFormat(aFolder({ "a.txt": "x", ".obsidian/x.md": "x" }))).rejects.toThrow(
    /nothing to import/,
  );
  await expect(detectFormat("/no/such/place")).rejects.toMatchObject({ code: "input" });
});
