/**
 * How well the product tells same, contradicting, related and unrelated memories apart, and finds what it is asked for:
 *
 *     npm run -s bench:quality -- [--data DIR] [--only pairs|clusters|recall] [--json]
 *
 * Reads the files `pairs*.jsonl`, `clusters*.jsonl` and `recall*.jsonl` below DIR; without it, the project's own data.
 * Progress goes to stderr.
 */
import { parseArgs } from "node:util";
import { evaluate } from "./evaluate.ts";
import { formatReport } from "./format-report.ts";
import { readOwnData } from "./own-data.ts";
import { type QualityData, readData } from "./read-data.ts";

const { values } = parseArgs({
  options: {
    data: { type: "string" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const data = await (values.data === undefined ? readOwnData() : readData(values.data));
const { only } = values;
const report = await evaluate(only === undefined ? data : onlyPart(data, only), (step) =>
  console.error(step),
);
console.log(values.json ? JSON.stringify(report, null, 2) : formatReport(report));

function onlyPart(all: QualityData, part: string): QualityData {
  return {
    pairs: part === "pairs" ? all.pairs : [],
    clusters: part === "clusters" ? all.clusters : new Map(),
    stores: part === "recall" ? all.stores : [],
  };
}
