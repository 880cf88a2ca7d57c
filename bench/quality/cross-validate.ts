/**
 * The pair measures with each source judged by a similarity profile that was fitted to the other sources alone:
 *
 *     npx tsx bench/quality/cross-validate.ts --data DIR
 *
 * Compare with `bench:quality --only pairs`: what the two differ by is what the profile owes to having seen the source.
 * Sources of one name in several folders (`sts`, `nc/sts`) count as one.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { fitProfile } from "../../src/similarity/fit-profile.ts";
import { dot } from "../../src/similarity/vectors.ts";
import { formatReport } from "./format-report.ts";
import { judgePairs, measureSources } from "./measure-pairs.ts";
import { loadProduct } from "./product.ts";
import { readData } from "./read-data.ts";

const { values } = parseArgs({ options: { data: { type: "string" } } });
if (values.data === undefined) throw new Error("--data: expected a folder");
const { pairs } = await readData(values.data);
const product = await loadProduct();
const labelled = pairs.map((pair) => ({
  ...pair,
  group: path.posix.basename(pair.source),
  cosine: dot(product.embedder.encode(pair.a), product.embedder.encode(pair.b)),
}));
const judged = [...new Set(labelled.map(({ group }) => group))].flatMap((group) => {
  const others = labelled.filter((pair) => pair.group !== group);
  const profile = fitProfile(others, product.embedder.id);
  console.error(`${group}: ${profile.points.map(([cosine]) => cosine).join(" ")}`);
  const held = labelled.filter((pair) => pair.group === group);
  return judgePairs(held, { ...product, deps: { ...product.deps, profile } });
});
const report = { pairs: measureSources(judged), clusters: {}, recall: {}, recallBySource: {} };
console.log(formatReport({ version: 1, ...report }));
