/**
 * Whether two nights, the second with every proposed merge approved, lose a sentence of any memory:
 *
 *     npm run -s bench:losses -- [--data DIR]
 *
 * Imports every `*.jsonl` of DIR into a store of its own; without it, the demo's memories. Lists what was lost, and ends with 1 then.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { importMemories } from "../../src/intake/import-memories.ts";
import { extractEntities } from "../../src/text/entities/extract-entities.ts";
import { makeStore } from "./make-store.ts";
import { type Losses, measureLosses } from "./measure-losses.ts";
import { loadProduct } from "./product.ts";

/** A day on which all data of today is old enough to be looked at. */
const NOW = Date.UTC(2026, 10, 1, 3);

const { values } = parseArgs({ options: { data: { type: "string" } } });
const demo = fileURLToPath(new URL("../../assets/demo/memories.jsonl", import.meta.url));
const files = values.data === undefined ? [demo] : await filesIn(values.data);
const product = await loadProduct();
const scratch = await mkdtemp(path.join(tmpdir(), "slowwave-losses-"));
try {
  for (const file of files) {
    // One store after the other, each told as soon as it is done.
    const losses = await measureFile(file);
    console.log(lineOf(path.basename(file), losses));
    for (const { id, sentence } of losses.lost) console.log(`  lost of ${id}: ${sentence}`);
    if (losses.lost.length > 0) process.exitCode = 1;
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".jsonl")).sort();
  return names.map((name) => path.join(folder, name));
}

async function measureFile(file: string): Promise<Losses> {
  const { store, runDeps } = await makeStore([], product);
  await importMemories({
    store,
    source: file,
    now: NOW,
    quarantinePath: path.join(scratch, "quarantine.jsonl"),
    extractEntities,
  });
  return await measureLosses(store, { ...runDeps, clock: { now: () => NOW } });
}

function lineOf(name: string, losses: Losses): string {
  const { memories, sentences, merged, live, archived, lost } = losses;
  return `${name}: ${memories} memories, ${sentences} sentences; ${merged} merged, ${archived} archived, ${live} live; ${lost.length} sentences lost`;
}
