/**
 * What the product is held against: LanceDB used by hand, as programs for `node --input-type=module --eval`. Plain text, so that nothing
 * but node and LanceDB is loaded.
 */

/** Any numbers do, and must not take longer to make than to insert. */
const VECTOR = `(row) => Array.from({ length: 256 }, (_, k) => ((row * 31 + k * 17) % 251) / 251 - 0.5)`;

/**
 * Reads the file that the product imports, and inserts each line as an object with a vector into a new table; prints what the insertion
 * alone took.
 */
export function bareInsert(folder: string, file: string): string {
  return `import { readFileSync } from "node:fs";
import { connect } from "@lancedb/lancedb";
const vector = ${VECTOR};
const lines = readFileSync(${JSON.stringify(file)}, "utf8").trim().split("\\n");
const connection = await connect(${JSON.stringify(folder)});
let [wallS, cpuS, table] = [0, 0];
for (let from = 0; from < lines.length; from += 5000) {
  const records = lines.slice(from, from + 5000).map((line, row) => ({ ...JSON.parse(line), vector: vector(from + row) }));
  const [start, before] = [performance.now(), process.cpuUsage()];
  if (table) await table.add(records);
  else table = await connection.createTable("bare", records);
  const { user, system } = process.cpuUsage(before);
  wallS += (performance.now() - start) / 1000;
  cpuS += (user + system) / 1e6;
}
console.log(JSON.stringify({ wallS, cpuS }));`;
}

/** Opens the table and asks once for the ten nearest rows. */
export function bareQuery(folder: string): string {
  return `import { connect } from "@lancedb/lancedb";
const vector = ${VECTOR};
const table = await (await connect(${JSON.stringify(folder)})).openTable("bare");
console.log((await table.query().nearestTo(vector(1)).limit(10).toArray()).length);`;
}
