import { measureClusters } from "./measure-clusters.ts";
import { type EncodeFigures, measureEncode } from "./measure-encode.ts";
import { judgePairs, measureSources, type PooledMeasures } from "./measure-pairs.ts";
import { measureRecall, poolRecall, type StoreMeasures } from "./measure-recall.ts";
import type { Agreement } from "./metrics.ts";
import { loadProduct } from "./product.ts";
import type { QualityData } from "./read-data.ts";

export interface QualityReport {
  readonly version: 1;
  readonly pairs: PooledMeasures;
  /** By path of the file. */
  readonly clusters: Readonly<Record<string, Agreement>>;
  /** By id of the store. */
  readonly recall: Readonly<Record<string, StoreMeasures>>;
  readonly recallBySource: Readonly<Record<string, StoreMeasures>>;
  /** Of the pairs' texts; absent where there are none. */
  readonly encode?: EncodeFigures;
}

export async function evaluate(
  data: QualityData,
  onStep: (step: string) => void,
): Promise<QualityReport> {
  const product = await loadProduct();
  onStep(`${data.pairs.length} pairs`);
  const pairs = measureSources(judgePairs(data.pairs, product));
  const clusters: Record<string, Agreement> = {};
  for (const [file, texts] of data.clusters) {
    onStep(`${file}: ${texts.length} texts`);
    // One after the other: each takes every core there is.
    clusters[file] = await measureClusters(texts, product);
  }
  const recall: Record<string, StoreMeasures> = {};
  const bySource = new Map<string, StoreMeasures[]>();
  for (const store of data.stores) {
    onStep(`${store.id}: ${store.questions.length} questions`);
    const measures = await measureRecall(store, product);
    recall[store.id] = measures;
    const kind = store.unit === undefined ? store.source : `${store.source} ${store.unit}s`;
    bySource.set(kind, [...(bySource.get(kind) ?? []), measures]);
  }
  const pooled = [...bySource].map(([source, stores]) => [source, poolRecall(stores)] as const);
  const texts = data.pairs.flatMap(({ a, b }) => [a, b]);
  onStep(`encoding ${texts.length} texts`);
  return {
    version: 1,
    pairs,
    clusters,
    recall,
    recallBySource: Object.fromEntries(pooled),
    ...(texts.length === 0 ? {} : { encode: await measureEncode(texts) }),
  };
}
