import { readFile } from "node:fs/promises";
import { z } from "zod";
import { SlowwaveError } from "../../model/errors.ts";
import type { LabelledCosine } from "../../similarity/fit-profile.ts";

export type Label = LabelledCosine["label"];

export interface LabelledTexts {
  readonly a: string;
  readonly b: string;
  readonly label: Label;
}

const LABELS = ["duplicate", "related", "contradiction", "unrelated"] as const;

/** More fields are welcome. */
const lineSchema = z.object({
  a: z.string().trim().min(1),
  b: z.string().trim().min(1),
  // Another word for it in published sets.
  label: z.preprocess((label) => (label === "paraphrase" ? "duplicate" : label), z.enum(LABELS)),
});

/**
 * Labelled pairs, one JSON object a line; empty lines are passed over.
 * @throws SlowwaveError `input` that names the first lines that are none
 */
export async function readLabels(file: string): Promise<readonly LabelledTexts[]> {
  const lines = (await readText(file)).split("\n");
  const wrong: number[] = [];
  const pairs = lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const pair = parseLine(line);
    if (pair === undefined) wrong.push(index + 1);
    return pair ?? [];
  });
  if (wrong.length === 0) return pairs;
  const shown = wrong.slice(0, 5).join(", ") + (wrong.length > 5 ? ", …" : "");
  throw new SlowwaveError(
    "input",
    `${file}: expected {"a": text, "b": text, "label": ${LABELS.map((label) => `"${label}"`).join(" | ")}} on each line; not so on line ${shown}`,
  );
}

async function readText(file: string): Promise<string> {
  try {
    return (await readFile(file, "utf8")).replace(/^\uFEFF/u, "");
  } catch (cause) {
    throw new SlowwaveError("input", `${file}: cannot be read`, { cause });
  }
}

function parseLine(line: string): LabelledTexts | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    // Not JSON: the caller names the line.
    return undefined;
  }
}
