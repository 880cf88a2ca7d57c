import path from "node:path";
import { loadStaticEmbedder } from "../../src/adapters/static-embedder/load-static-embedder.ts";
import { readTable } from "../../src/adapters/static-embedder/read-table.ts";
import { createPlainEncoder, readVocabulary } from "./plain-encoder.ts";

export interface EncodeFigures {
  readonly texts: number;
  /** One thread. */
  readonly textsPerCpuS: number;
  /** The plain encoder's processor time over the product's. */
  readonly ratio: number;
}

const ROUNDS = 5;
/** Below this a round is too short for a processor clock of milliseconds. */
const FEWEST_TEXTS = 20_000;

/** Texts a second of the built-in embedder and of the plain encoder, in turns; of each the best round counts. */
export async function measureEncode(texts: readonly string[]): Promise<EncodeFigures> {
  const assets = path.join(import.meta.dirname, "../../assets/static-embedding");
  const { encode } = await loadStaticEmbedder();
  const plain = createPlainEncoder(await readTable(assets), await readVocabulary(assets));
  const times = Math.ceil(FEWEST_TEXTS / texts.length);
  const best = { product: Number.POSITIVE_INFINITY, plain: Number.POSITIVE_INFINITY };
  for (let round = 0; round < ROUNDS; round += 1) {
    best.product = Math.min(
      best.product,
      cpuSecondsOf(() => encodeAll(texts, times, encode)),
    );
    best.plain = Math.min(
      best.plain,
      cpuSecondsOf(() => encodeAll(texts, times, plain)),
    );
  }
  return {
    texts: texts.length,
    textsPerCpuS: (texts.length * times) / best.product,
    ratio: best.plain / best.product,
  };
}

function encodeAll(
  texts: readonly string[],
  times: number,
  encode: (text: string) => Float32Array,
): void {
  for (let time = 0; time < times; time += 1) for (const text of texts) encode(text);
}

function cpuSecondsOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
