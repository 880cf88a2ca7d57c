import { expect, test } from "vitest";
import { generateTexts } from "../../bench/speed/generate-texts.ts";
import { createRandom } from "../../bench/speed/random.ts";
import { loadStaticEmbedder } from "../../src/adapters/static-embedder/load-static-embedder.ts";
import { findSimilarPairs, forEachSimilarPair } from "../../src/similarity/all-pairs.ts";
import { forEachBlockedPair } from "../../src/similarity/blocking.ts";
import { matrixOf, type VectorMatrix } from "../../src/similarity/vectors.ts";

const THRESHOLD = 0.73;

async function textMatrix(count: number): Promise<VectorMatrix> {
  const embedder = await loadStaticEmbedder();
  const texts = [...new Set(generateTexts(count, 11))];
  return matrixOf(
    texts.map((text) => embedder.encode(text)),
    embedder.dimensions,
  );
}

/** Directions without any order, one in eight of them near an earlier one: what blocking finds hardest. */
function scatteredMatrix(rows: number, dimensions: number): VectorMatrix {
  const random = createRandom(5);
  const data = new Float32Array(rows * dimensions);
  for (let row = 0; row < rows; row++) {
    const earlier = Math.floor(random() * row) * dimensions;
    const isNear = row > 0 && random() < 0.12;
    for (let k = 0; k < dimensions; k++) {
      const own = random() + random() + random() - 1.5;
      data[row * dimensions + k] = isNear ? (data[earlier + k] ?? 0) + 0.7 * own : own;
    }
  }
  return { rows, dimensions, data };
}

function keysOf(pairs: readonly (readonly [number, number, number])[]): string[] {
  return pairs.map((pair) => pair.join(" ")).sort();
}

async function blocked(matrix: VectorMatrix, against?: readonly number[]) {
  const pairs: [number, number, number][] = [];
  const query = { threshold: THRESHOLD, against };
  const { recall, note } = await forEachBlockedPair(matrix, query, (...pair) => pairs.push(pair));
  return { pairs, recall, note };
}

async function exact(matrix: VectorMatrix) {
  const { pairs } = await findSimilarPairs(matrix, { threshold: THRESHOLD });
  return Array.from(
    { length: pairs.count },
    (_, p) => [pairs.first[p] ?? 0, pairs.second[p] ?? 0, pairs.similarity[p] ?? 0] as const,
  );
}

test.each([
  ["texts", () => textMatrix(3000)],
  ["scattered vectors", async () => scatteredMatrix(4000, 64)],
])(
  "blocking finds 99 of 100 pairs of %s, each once, with the exact value",
  async (_, build) => {
    const matrix = await build();
    const { pairs, recall, note } = await blocked(matrix);
    const all = new Set(keysOf(await exact(matrix)));
    const found = keysOf(pairs);
    expect(new Set(found).size).toBe(found.length);
    expect(found.every((key) => all.has(key))).toBe(true);
    expect(found.length / all.size).toBeGreaterThanOrEqual(0.99);
    expect(recall).toBeGreaterThanOrEqual(0.98);
    expect(note).toMatch(/cells, \d+ a vector; of a sample, [\d.]+ % of pairs are found so\.$/);
  },
  60_000,
);

test("blocking gives the same pairs in the same order each time", async () => {
  const matrix = await textMatrix(1500);
  expect((await blocked(matrix)).pairs).toEqual((await blocked(matrix)).pairs);
});

test("blocking pairs equal rows, and rows without a vector with nothing", async () => {
  const matrix = scatteredMatrix(600, 16);
  matrix.data.copyWithin(16, 0, 16);
  matrix.data.fill(0, 32, 64);
  const { pairs } = await blocked(matrix);
  expect(pairs.filter(([i, j]) => i === 0 && j === 1)).toEqual([[0, 1, 1]]);
  expect(pairs.some(([i, j]) => [2, 3].includes(i) || [2, 3].includes(j))).toBe(false);
});

test("blocking against changed rows keeps the pairs that have one", async () => {
  const matrix = await textMatrix(1500);
  const against = Array.from({ length: 300 }, (_, row) => row * 3);
  const changed = new Set(against);
  const { pairs } = await blocked(matrix);
  const wanted = pairs.filter(([i, j]) => changed.has(i) || changed.has(j));
  expect(wanted.length).toBeGreaterThan(0);
  expect((await blocked(matrix, against)).pairs).toEqual(wanted);
});

test("forEachSimilarPair compares everything up to a number of rows, and says so where it does not", async () => {
  const matrix = scatteredMatrix(500, 16);
  const search = async (exactUpTo: number, against?: readonly number[]) =>
    await forEachSimilarPair(matrix, { threshold: THRESHOLD, exactUpTo, against }, () => undefined);
  expect(await search(500)).toEqual({});
  expect((await search(499)).note).toMatch(/^500 vectors are too many to compare all with all/);
  // A few changed rows are compared with all others.
  expect(await search(499, [1, 2, 3])).toEqual({});
});
