import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const LABELS = ["duplicate", "contradiction", "related", "unrelated"] as const;
export type Label = (typeof LABELS)[number];

export interface LabelledPair {
  readonly a: string;
  readonly b: string;
  readonly label: Label;
  /** The row's source, after the folder of its file: `sick`, `nc/sick`. */
  readonly source: string;
  /** Path of the file below the folder. */
  readonly file: string;
  /** Degree of likeness given by people, where the source has one. */
  readonly score?: number;
}

export interface LabelledText {
  readonly id: string;
  readonly text: string;
  /** Texts of one cluster say the same. */
  readonly cluster: string;
}

export interface RecallStore {
  readonly id: string;
  readonly source: string;
  /** What a memory is, such as `fact` or `turn`. */
  readonly unit?: string;
  readonly memories: readonly {
    readonly id: string;
    readonly text: string;
    readonly created_at?: string;
  }[];
  readonly questions: readonly {
    readonly q: string;
    readonly evidence: readonly string[];
    readonly category?: string;
    /** False where the evidence given is not all there is. */
    readonly complete?: boolean;
  }[];
}

export interface QualityData {
  readonly pairs: readonly LabelledPair[];
  /** By path of their file, below the folder. */
  readonly clusters: ReadonlyMap<string, readonly LabelledText[]>;
  readonly stores: readonly RecallStore[];
}

/** Reads every `pairs`, `clusters` and `recall` file (`*.jsonl`) below a folder. Fails with the file and line on a row of another shape. */
export async function readData(folder: string): Promise<QualityData> {
  const entries = await readdir(folder, { recursive: true });
  const files = entries.map((entry) => entry.split(path.sep).join("/")).sort();
  const pairs = await Promise.all(
    files.filter((file) => PAIRS.test(file)).map((file) => readPairs(folder, file)),
  );
  const clusters = new Map<string, readonly LabelledText[]>();
  const stores: RecallStore[] = [];
  for (const file of files) {
    // Files one after the other: each is small, and their order is the order of the report.
    if (CLUSTERS.test(file))
      clusters.set(file, await readRows(path.join(folder, file), textSchema));
    if (RECALL.test(file)) stores.push(...(await readStores(folder, file)));
  }
  return { pairs: pairs.flat(), clusters, stores };
}

export async function readPairs(folder: string, file: string): Promise<readonly LabelledPair[]> {
  const rows = await readRows(path.join(folder, file), pairSchema);
  const stem = path.posix.basename(file).replace(/\.jsonl$/u, "");
  return rows.map(({ source = stem, ...row }) => ({
    ...row,
    file,
    source: inFolder(file, source),
  }));
}

export async function readStores(folder: string, file: string): Promise<readonly RecallStore[]> {
  const stores = await readRows(path.join(folder, file), storeSchema);
  return stores.map((store) => ({
    ...store,
    id: inFolder(file, store.id),
    source: inFolder(file, store.source),
  }));
}

const PAIRS = /(?:^|[/-])pairs(?:\.[^/]*)?\.jsonl$/u;
const CLUSTERS = /(?:^|[/-])clusters(?:\.[^/]*)?\.jsonl$/u;
const RECALL = /(?:^|[/-])recall(?:\.[^/]*)?\.jsonl$/u;

const pairSchema = z.object({
  a: z.string(),
  b: z.string(),
  label: z.preprocess((label) => (label === "paraphrase" ? "duplicate" : label), z.enum(LABELS)),
  source: z.string().exactOptional(),
  score: z.number().exactOptional(),
});
const textSchema = z.object({ id: z.string(), text: z.string(), cluster: z.string() });
const storeSchema = z.object({
  id: z.string(),
  source: z.string().default("recall"),
  unit: z.string().exactOptional(),
  memories: z
    .array(z.object({ id: z.string(), text: z.string(), created_at: z.string().exactOptional() }))
    .default([]),
  questions: z.array(
    z.object({
      q: z.string(),
      evidence: z.array(z.string()).min(1),
      category: z.string().exactOptional(),
      complete: z.boolean().exactOptional(),
    }),
  ),
});

function inFolder(file: string, name: string): string {
  return path.posix.join(path.posix.dirname(file), name);
}

export async function readRows<T>(file: string, schema: z.ZodType<T>): Promise<readonly T[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const row = schema.safeParse(JSON.parse(line));
    if (row.success) return [row.data];
    throw new Error(`${file}:${index + 1}: ${z.prettifyError(row.error)}`);
  });
}
