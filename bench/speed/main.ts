/**
 * What the product costs on a generated store, and how that compares with references measured in the same run:
 *
 *     npm run -s bench:speed -- [--size 10000] [--changed 0.01] [--seed 7] [--pipeline] [--json]
 *
 * Beyond 200,000 memories the search for pairs alone is measured, unless `--pipeline` asks for import, runs and recall as well.
 * Ratios compare processor seconds, all threads together: on a busy machine wall times say little. Progress goes to stderr.
 */
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { bareInsert, bareQuery } from "./bare-programs.ts";
import { formatReport, type SpeedReport } from "./format-report.ts";
import { generateTexts } from "./generate-texts.ts";
import { measureNode, measureOften, type ProcessCost } from "./measure-process.ts";
import { measureSimilarity, type SimilarityFigures } from "./measure-similarity.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
/** Of processes that take a fraction of a second. */
const REPEATS = 5;
/** 2026-01-01; memories are told over the two years before. */
const NOW_S = 1_767_225_600;
const DAY_S = 86_400;
const TWO_YEARS_S = 2 * 365 * DAY_S;

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "10000" },
    changed: { type: "string", default: "0.01" },
    seed: { type: "string", default: "7" },
    pipeline: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const size = Number(values.size);
const changed = Number(values.changed);
const LARGE = 200_000;
const folder = await mkdtemp(path.join(tmpdir(), "slowwave-speed-"));
// What runs keep for the next belongs to this measurement, and goes with it.
process.env.SLOWWAVE_HOME = path.join(folder, "home");
try {
  const report = size > LARGE && !values.pipeline ? await measurePairsAlone() : await measureAll();
  console.log(values.json ? JSON.stringify(report, null, 2) : formatReport(report));
} finally {
  await rm(folder, { recursive: true });
}

async function measurePairsAlone(): Promise<SpeedReport> {
  const similarity = await measureSimilarity(size, Number(values.seed));
  return {
    version: 1,
    size,
    changed,
    stages: { allPairs: similarity.allPairs },
    peakMemoryMb: process.resourceUsage().maxRSS / 1024,
    ...similarityReport(similarity),
    ratios: { naiveCpuOverKernelCpu: similarity.kernel.naiveCpuOverKernelCpu },
  };
}

function similarityReport({ pairs, note, kernel, scattered }: SimilarityFigures) {
  return {
    pairs,
    ...(note === undefined ? {} : { note }),
    kernel: { ...kernel, exact: true, scattered },
  } as const;
}

async function measureAll(): Promise<SpeedReport> {
  const added = Math.max(1, Math.round(size * changed));
  const texts = generateTexts(size + added, Number(values.seed));
  const [base, later] = [path.join(folder, "base.jsonl"), path.join(folder, "later.jsonl")];
  await writeMemories(base, texts.slice(0, size), 0);
  await writeMemories(later, texts.slice(size), size);
  const [store, bare] = [path.join(folder, "store"), path.join(folder, "bare")];

  const noop = await often("a node process that does nothing", ["--eval", "0"]);
  const version = await often("slowwave --version", slowwave("--version"));
  const insert = await once("bare insert", evaluated(bareInsert(bare, base)));
  const imported = await once("import", slowwave("import", base, "--store", store));
  const full = await once("full run", run(store, NOW_S, "--dry-run", "--full"));
  const query = await often("bare query", evaluated(bareQuery(bare)));
  const question = texts[Math.floor(size / 2)] ?? "";
  const recall = await often(
    "recall",
    slowwave("recall", question, "--no-touch", "--store", store),
  );
  const bytes = await bytesOf(store);
  // A night finds what the night before left: its links and merges made, its issues open.
  const live = await once("run that applies", run(store, NOW_S));
  await once("import of what is new", slowwave("import", later, "--store", store));
  const nightly = await once("nightly run", run(store, NOW_S + DAY_S, "--dry-run"));
  const similarity = await measureSimilarity(size, Number(values.seed));
  const insertAlone: { readonly wallS: number; readonly cpuS: number } = JSON.parse(insert.stdout);

  const stages = { noop, version, import: imported, full, recall, bareQuery: query, live, nightly };
  return {
    version: 1,
    size,
    changed,
    stages: {
      ...Object.fromEntries(
        Object.entries(stages).map(([name, { wallS, cpuS }]) => [name, { wallS, cpuS }]),
      ),
      bareInsert: { wallS: insert.wallS, cpuS: insert.cpuS },
      insertAlone,
      allPairs: similarity.allPairs,
    },
    peakMemoryMb: full.peakMemoryMb,
    ...similarityReport(similarity),
    bytes,
    ratios: {
      naiveCpuOverKernelCpu: similarity.kernel.naiveCpuOverKernelCpu,
      nightlyOverFull: (nightly.cpuS - noop.cpuS) / (full.cpuS - noop.cpuS),
      recallOverBareQuery: recall.cpuS / query.cpuS,
      versionOverBareNode: version.cpuS / noop.cpuS,
      importOverBareInsert: imported.cpuS / insert.cpuS,
      importOverInsertAlone: imported.cpuS / insertAlone.cpuS,
    },
  };
}

async function writeMemories(file: string, texts: readonly string[], from: number): Promise<void> {
  const lines = texts.map((content, index) => {
    const at = NOW_S - (((from + index) * 7919) % TWO_YEARS_S);
    const uses = index % 5 === 0 ? index % 7 : 0;
    const usedAt = uses === 0 ? at : Math.min(NOW_S, at + uses * 86_400);
    return JSON.stringify({
      id: `m-${from + index}`,
      content,
      created_at: at,
      last_used: usedAt,
      use_count: uses,
    });
  });
  await writeFile(file, `${lines.join("\n")}\n`);
}

function slowwave(...args: string[]): string[] {
  return [path.join(ROOT, "bin/slowwave.js"), ...args];
}

function run(store: string, atS: number, ...flags: string[]): string[] {
  const asOf = new Date(atS * 1000).toISOString();
  return slowwave("run", ...flags, "--no-llm", "--as-of", asOf, "--store", store);
}

function evaluated(program: string): string[] {
  return ["--input-type=module", "--eval", program];
}

async function once(name: string, args: readonly string[]): Promise<ProcessCost> {
  console.error(name);
  return await measureNode(args, ROOT);
}

async function often(name: string, args: readonly string[]): Promise<ProcessCost> {
  console.error(name);
  return await measureOften(REPEATS, () => measureNode(args, ROOT));
}

async function bytesOf(store: string): Promise<number> {
  const entries = await readdir(store, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, bytes) => sum + bytes, 0);
}
