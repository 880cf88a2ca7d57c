import { loadStaticEmbedder } from "../../src/adapters/static-embedder/load-static-embedder.ts";
import { settingsSchema } from "../../src/model/settings.ts";
import { forEachSimilarPair } from "../../src/similarity/all-pairs.ts";
import { cosineFor } from "../../src/similarity/profile.ts";
import type { VectorMatrix } from "../../src/similarity/vectors.ts";
import { loadProduct } from "../quality/product.ts";
import { generateTexts } from "./generate-texts.ts";
import { firstRows, type KernelFigures, measureKernel, timed } from "./measure-kernel.ts";
import { scatteredVectors } from "./scattered-vectors.ts";

export interface SimilarityFigures {
  /** Of distinct texts, at the threshold for links. */
  readonly pairs: number;
  /** The search that a run makes: beyond 200,000 texts in cells, of which the note tells what they find. */
  readonly allPairs: { readonly wallS: number; readonly cpuS: number };
  readonly note?: string;
  /** Exact, whatever the size asked for: on fewer rows what grows with the rows alone hides what is measured. */
  readonly kernel: KernelFigures;
  readonly scattered: KernelFigures;
}

const KERNEL_ROWS = 100_000;
const SCATTERED_ROWS = 50_000;

export async function measureSimilarity(size: number, seed: number): Promise<SimilarityFigures> {
  console.error("all pairs");
  const { deps } = await loadProduct();
  const { linkThreshold } = settingsSchema.parse({}).cluster;
  const threshold = cosineFor(deps.profile, linkThreshold);
  const { matrix, rows } = await generatedVectors(size, seed);
  let pairs = 0;
  let note: string | undefined;
  const allPairs = await timed(async () => {
    const found = await forEachSimilarPair(firstRows(matrix, rows), { threshold }, () => {
      pairs++;
    });
    note = found.note;
  });
  console.error("kernel");
  const kernel = await measureKernel(firstRows(matrix, KERNEL_ROWS), threshold);
  const scattered = await measureKernel(
    scatteredVectors(SCATTERED_ROWS, matrix.dimensions),
    threshold,
  );
  return { pairs, allPairs, kernel, scattered, ...(note === undefined ? {} : { note }) };
}

/** Exact copies are grouped before the search; the first `rows` are those of the first `size` texts. */
async function generatedVectors(
  size: number,
  seed: number,
): Promise<{ readonly matrix: VectorMatrix; readonly rows: number }> {
  const embedder = await loadStaticEmbedder();
  const texts = generateTexts(Math.max(size, KERNEL_ROWS), seed);
  const rows = new Set(texts.slice(0, size)).size;
  const distinct = [...new Set(texts)];
  const data = new Float32Array(distinct.length * embedder.dimensions);
  for (const [row, text] of distinct.entries()) {
    data.set(embedder.encode(text), row * embedder.dimensions);
  }
  return { matrix: { rows: distinct.length, dimensions: embedder.dimensions, data }, rows };
}
