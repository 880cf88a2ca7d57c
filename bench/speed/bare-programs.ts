/**
 * What the product is held against: LanceDB used by hand, as programs for `node --input-type=module --eval`. Plain text, so that nothing
 * but node and LanceDB is loaded.
 */

const VECTOR = `(row) => Array.from({ length: 256 }, (_, k) => Math.sin(row * 256 + k))`;

/** Inserts objects with a text and a vector into a new table; prints the seconds that the insertion alone took. */
export function bareInsert(folder: string, rows: number): string {
  return `import { connect } from "@lancedb/lancedb";
const vector = ${VECTOR};
const records = Array.from({ length: ${rows} }, (_, row) => ({ id: "m-" + row, content: "memory " + row + " of a store that is filled by hand, as long as others are", vector: vector(row) }));
const connection = await connect(${JSON.stringify(folder)});
const [start, cpu] = [performance.now(), process.cpuUsage()];
const table = await connection.createTable("bare", records.slice(0, 5000));
for (let from = 5000; from < records.length; from += 5000) await table.add(records.slice(from, from + 5000));
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ wallS: (performance.now() - start) / 1000, cpuS: (user + system) / 1e6 }));`;
}

/** Opens the table and asks once for the ten nearest rows. */
export function bareQuery(folder: string): string {
  return `import { connect } from "@lancedb/lancedb";
const vector = ${VECTOR};
const table = await (await connect(${JSON.stringify(folder)})).openTable("bare");
console.log((await table.query().nearestTo(vector(1)).limit(10).toArray()).length);`;
}
