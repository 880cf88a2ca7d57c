import type { Random } from "../../bench/speed/random.ts";
import { dot, type Matrix, rowOf } from "./matrix.ts";
import { shuffle } from "./shuffle.ts";

const NEIGHBOURHOODS = 300;

/** Batches of sentences for one epoch: half of each from one neighbourhood of the teacher's space, half from another. */
export function createBatches(
  taught: Matrix,
  size: number,
  random: Random,
): readonly (readonly number[])[] {
  const all = Array.from({ length: taught.rows }, (_, at) => at);
  const centres = shuffle(all, random).slice(0, NEIGHBOURHOODS);
  const order = shuffle(
    centres.map((_, index) => index),
    random,
  );
  const place = all.map((at) => (order[nearest(taught, at, centres)] ?? 0) + random() / 2);
  const sorted = all.toSorted((a, b) => (place[a] ?? 0) - (place[b] ?? 0) || a - b);
  const blocks: number[][] = [];
  for (let start = 0; start + size <= sorted.length; start += size) {
    blocks.push(sorted.slice(start, start + size));
  }
  const shuffled = shuffle(blocks, random);
  return shuffled.map((block) => {
    const other = shuffled[Math.floor(random() * shuffled.length)] ?? [];
    const half = size / 2;
    const chosen = new Set([...shuffle(block, random).slice(0, half), ...other.slice(0, half)]);
    return [...chosen].sort((a, b) => a - b);
  });
}

function nearest(taught: Matrix, at: number, centres: readonly number[]): number {
  const row = rowOf(taught, at);
  let [best, bestIndex] = [Number.NEGATIVE_INFINITY, 0];
  for (const [index, centre] of centres.entries()) {
    const cosine = dot(row, rowOf(taught, centre));
    if (cosine > best) [best, bestIndex] = [cosine, index];
  }
  return bestIndex;
}
