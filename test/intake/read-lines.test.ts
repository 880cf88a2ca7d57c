import { createWriteStream } from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type LineItem, readLines } from "../../src/intake/read-lines.ts";
import { aFolder, collect } from "./import-text.ts";

async function linesOf(content: string | Buffer): Promise<readonly LineItem[]> {
  return collect(readLines(path.join(aFolder({ f: content }), "f")));
}

async function textsOf(content: string | Buffer): Promise<readonly string[]> {
  return (await linesOf(content)).map((item) => (item.kind === "line" ? item.text : item.reason));
}

test("readLines passes over a byte order mark, CRLF and blank lines, and numbers lines as an editor does", async () => {
  const items = await linesOf("\ufeffone\r\n\r\n  \ntwo\nthree");
  expect(items.map((item) => [item.origin.line, item.origin.raw()])).toEqual([
    [1, "one"],
    [4, "two"],
    [5, "three"],
  ]);
});

test("readLines keeps U+2028 and a carriage return inside a line", async () => {
  expect(await textsOf("a\u2028b\rc\nd\n")).toEqual(["a\u2028b\rc", "d"]);
});

test("readLines names the byte at which a line stops being UTF-8, and reads on", async () => {
  const bytes = Buffer.concat([
    Buffer.from("good\nca"),
    Buffer.from([0xe9]),
    Buffer.from("\nnext\n"),
  ]);
  const [first, second, third] = await linesOf(bytes);
  expect(first).toMatchObject({ kind: "line", text: "good" });
  expect(second).toMatchObject({
    kind: "bad",
    reason: "not UTF-8: invalid byte at offset 7 of the file",
  });
  expect(second?.origin.raw()).toBe(`base64:${Buffer.from([0x63, 0x61, 0xe9]).toString("base64")}`);
  expect(third).toMatchObject({ kind: "line", text: "next" });
});

test("readLines takes a replacement character that the file itself holds as text", async () => {
  expect(await textsOf("a\ufffdb\n")).toEqual(["a\ufffdb"]);
});

test("readLines skips a line of more than 16 MiB and keeps only its beginning", async () => {
  const file = path.join(aFolder(), "long");
  const mebibyte = "x".repeat(1024 * 1024);
  const parts = ["before\n", ...Array.from({ length: 17 }, () => mebibyte), "\nafter\n"];
  await pipeline(Readable.from(parts), createWriteStream(file));
  const [before, long, after] = await collect(readLines(file));
  expect(before).toMatchObject({ kind: "line", text: "before" });
  expect(long).toMatchObject({ kind: "bad", reason: expect.stringContaining("17825792 bytes") });
  expect(long?.origin.raw()).toHaveLength(1001);
  expect(after).toMatchObject({ kind: "line", text: "after", origin: { line: 3 } });
});

test("readLines names a file that is not there", async () => {
  const file = path.join(aFolder(), "gone.jsonl");
  await expect(collect(readLines(file))).rejects.toMatchObject({
    code: "input",
    message: expect.stringContaining("gone.jsonl"),
  });
});

test("readLines gives back any lines of text, wherever the chunks of the file end", async () => {
  const line = fc
    .string({ unit: "grapheme", maxLength: 200_000, size: "max" })
    .map((text) => text.replace(/[\r\n\ufeff]/g, ""));
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 5 }), async (lines) => {
      const expected = lines.filter((text) => text.trim() !== "");
      expect(await textsOf(lines.join("\n"))).toEqual(expected);
    }),
    { numRuns: 20 },
  );
});
