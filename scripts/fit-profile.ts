import { mkdir, readFile, writeFile } from "node:fs/promises";
import { z } from "zod";
import { loadStaticEmbedder } from "../src/adapters/static-embedder/load-static-embedder.ts";
import { fitProfile, type LabelledCosine } from "../src/similarity/fit-profile.ts";
import { cosine } from "../src/similarity/vectors.ts";

/**
 * Fits the built-in embedder's profile to labelled pairs and stores it in assets/profiles:
 *
 *     npx tsx scripts/fit-profile.ts pairs.jsonl [more.jsonl …]
 *
 * A line is {"a": text, "b": text, "label": "duplicate" | "contradiction" | "related" | "unrelated"}.
 */
const lineSchema = z.object({
  a: z.string(),
  b: z.string(),
  label: z.preprocess(
    (label) => (label === "paraphrase" ? "duplicate" : label),
    z.enum(["duplicate", "contradiction", "related", "unrelated"]),
  ),
});

async function readPairs(file: string): Promise<readonly z.infer<typeof lineSchema>[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => lineSchema.parse(JSON.parse(line)));
}

const files = process.argv.slice(2);
const embedder = await loadStaticEmbedder();
const pairs = (await Promise.all(files.map(readPairs))).flat();
const labelled = pairs.map(
  ({ a, b, label }): LabelledCosine => ({
    cosine: cosine(embedder.encode(a), embedder.encode(b)),
    label,
  }),
);
const profile = fitProfile(labelled, embedder.id);
const folder = new URL("../assets/profiles/", import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(
  new URL(`${embedder.id}.json`, folder),
  `${JSON.stringify(profile, null, 1).replace(/\n {3,}|\n {2}(?=[\]}])/g, " ")}\n`,
);
console.log(`${pairs.length} pairs`, profile.errors);
