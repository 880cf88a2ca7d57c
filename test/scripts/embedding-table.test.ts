import { expect, test } from "vitest";
import { createRandom, type Random } from "../../bench/speed/random.ts";
import type { Sentence } from "../../scripts/embedding-table/choose-corpus.ts";
import { fitRows } from "../../scripts/embedding-table/fit-rows.ts";
import { matchCosines } from "../../scripts/embedding-table/match-cosines.ts";
import {
  addScaled,
  dot,
  innerProducts,
  type Matrix,
  rowOf,
  zeros,
} from "../../scripts/embedding-table/matrix.ts";
import { reduceColumns } from "../../scripts/embedding-table/reduce-columns.ts";

function randomMatrix(rows: number, columns: number, random: Random): Matrix {
  const matrix = zeros(rows, columns);
  for (let at = 0; at < matrix.data.length; at++) matrix.data[at] = random() - 0.5;
  return matrix;
}

/** Sentences of a language of 40 words, and a teacher whose vector of a sentence is the mean of hidden ones of its words. */
function aLanguage(count: number) {
  const random = createRandom(7);
  const hidden = randomMatrix(40, 8, random);
  const sentences: Sentence[] = Array.from({ length: count }, (_, at) => ({
    text: `${at}`,
    tokens: Array.from({ length: 5 }, () => Math.floor(random() * 40)),
  }));
  const taught = sumsOf(hidden, sentences);
  const counts = new Float64Array(40);
  for (const { tokens } of sentences) {
    for (const token of tokens) counts[token] = (counts[token] ?? 0) + 1;
  }
  return { sentences, taught, counts, single: randomMatrix(40, 8, random) };
}

/** Unit vectors of the sums of rows. */
function sumsOf(table: Matrix, sentences: readonly Sentence[]): Matrix {
  const sums = zeros(sentences.length, table.columns);
  for (const [at, { tokens }] of sentences.entries()) {
    const row = rowOf(sums, at);
    for (const token of tokens) addScaled(row, rowOf(table, token), 1);
    const length = Math.sqrt(dot(row, row));
    for (let k = 0; k < row.length; k++) row[k] = (row[k] ?? 0) / length;
  }
  return sums;
}

function distance(a: Matrix, b: Matrix): number {
  const squares = a.data.map((value, at) => (value - (b.data[at] ?? 0)) ** 2);
  return squares.reduce((sum, square) => sum + square, 0) / squares.length;
}

test("fitted rows bring sentences near their teacher, from rows that know nothing", () => {
  const language = aLanguage(600);
  const cosines = (table: Matrix) => innerProducts(sumsOf(table, language.sentences));
  const goal = innerProducts(language.taught);
  const before = distance(cosines(language.single), goal);
  const fitted = fitRows(language);
  expect(distance(cosines(fitted), goal)).toBeLessThan(before / 5);
  expect(fitRows(language).data).toEqual(fitted.data);
});

test("matching cosines brings them nearer yet, the same in every run", () => {
  const { sentences, taught, single } = aLanguage(600);
  const losses: number[] = [];
  const match = () =>
    matchCosines({
      sentences,
      taught,
      table: single,
      onEpoch: (_epoch, loss) => losses.push(loss),
    });
  const table = match();
  const goal = innerProducts(taught);
  const cosines = (of: Matrix) => innerProducts(sumsOf(of, sentences));
  expect(distance(cosines(table), goal)).toBeLessThan(distance(cosines(single), goal));
  expect(match().data).toEqual(table.data);
  expect(losses.slice(0, 5)).toEqual(losses.slice(5));
});

test("fewer columns keep the products of rows that need no more", () => {
  const random = createRandom(3);
  const [narrow, axes] = [randomMatrix(1200, 4, random), randomMatrix(4, 12, random)];
  const wide = zeros(1200, 12);
  for (let row = 0; row < wide.rows; row++) {
    for (let k = 0; k < 4; k++) {
      addScaled(rowOf(wide, row), rowOf(axes, k), narrow.data[row * 4 + k] ?? 0);
    }
  }
  const reduced = reduceColumns(wide, 4);
  for (const [a, b] of [
    [1000, 1001],
    [1100, 1199],
  ] as const) {
    expect(dot(rowOf(reduced, a), rowOf(reduced, b))).toBeCloseTo(
      dot(rowOf(wide, a), rowOf(wide, b)),
      4,
    );
  }
});
