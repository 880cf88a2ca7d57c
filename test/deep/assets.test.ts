import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readCorpus } from "../../scripts/embedding-table/choose-corpus.ts";
import { antonymsText } from "../../scripts/embedding-table/find-antonyms.ts";
import { loadTeacher, TEACHER_DIMENSIONS } from "../../scripts/embedding-table/teacher.ts";

test("the antonyms are those of WordNet", async () => {
  const asset = new URL("../../assets/antonyms.json", import.meta.url);
  expect(await antonymsText()).toBe(await readFile(asset, "utf8"));
});

test("the corpus of the table is what its header says, and its first eighth has every token", async () => {
  const { vocabulary } = await loadTeacher();
  const { sentences, counts } = await readCorpus(vocabulary);
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  expect([sentences.length, tokens]).toEqual([158_712, 1_628_514]);
  const all = new Set(sentences.flatMap((sentence) => sentence.tokens));
  const early = new Set(sentences.slice(0, 20_000).flatMap((sentence) => sentence.tokens));
  expect(early).toEqual(all);
});

test("the teacher is the pinned one: unit vectors, the same for a text whatever stands beside it", async () => {
  const teacher = await loadTeacher();
  const vocabulary = await readFile(
    new URL("../../assets/static-embedding/vocab.txt", import.meta.url),
    "utf8",
  );
  expect(`${teacher.vocabulary.join("\n")}\n`).toBe(vocabulary);
  const texts = ["a cat sat on the mat", "a feline rested on a rug", "the depot opens at six"];
  const rows = teacher.encode(texts);
  const vectorOf = (at: number) =>
    rows.subarray(at * TEACHER_DIMENSIONS, (at + 1) * TEACHER_DIMENSIONS);
  const cosine = (a: Float32Array, b: Float32Array) =>
    a.reduce((sum, value, k) => sum + value * (b[k] ?? 0), 0);
  expect(cosine(vectorOf(0), vectorOf(0))).toBeCloseTo(1, 5);
  expect(cosine(vectorOf(0), vectorOf(1))).toBeGreaterThan(cosine(vectorOf(0), vectorOf(2)) + 0.2);
  expect(teacher.encode(texts.slice(1, 2))).toEqual(vectorOf(1));
  const ids = ["ing", "##ing"].map((token) => teacher.vocabulary.indexOf(token));
  const [whole, piece] = [
    teacher.encodeTokens(ids.slice(0, 1)),
    teacher.encodeTokens(ids.slice(1)),
  ];
  expect(piece).not.toEqual(whole);
});
