import { createHash } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Matrix } from "./matrix.ts";
import { rowOf } from "./matrix.ts";

/** The files of `assets/static-embedding` that are made, with a header that says from what. */
export async function writeTable(
  folder: string,
  input: {
    readonly table: Matrix;
    readonly vocabulary: readonly string[];
    /** What else the header says: teacher, corpus, parameters. */
    readonly origin: object;
  },
): Promise<void> {
  const { table, vocabulary, origin } = input;
  const { rows, scales } = quantise(table);
  const files = {
    "static.i8.bin": Buffer.from(rows.buffer),
    "static.scale.bin": littleEndian(scales),
    "vocab.txt": Buffer.from(`${vocabulary.join("\n")}\n`),
  };
  const header = {
    format: "static-token-table",
    version: 1,
    dims: table.columns,
    vocabSize: table.rows,
    maxTokens: 510,
    files: { table: "static.i8.bin", scale: "static.scale.bin", vocab: "vocab.txt" },
    layout:
      "row-major int8 [vocabSize, dims]; float32 little-endian scale per row; vector = L2norm(sum(row * scale))",
    tokenizer:
      "BERT uncased WordPiece (lower-case, strip accents, split punctuation and CJK, greedy longest match), no special tokens",
    ...origin,
    quantisation: "int8 symmetric, per-row float32 scale",
    sha256: Object.fromEntries(
      Object.entries(files).map(([name, bytes]) => [
        name,
        createHash("sha256").update(bytes).digest("hex"),
      ]),
    ),
  };
  await mkdir(folder, { recursive: true });
  for (const [name, bytes] of Object.entries(files)) {
    // One by one, the header last: it vouches for the others.
    await writeFile(path.join(folder, name), bytes);
  }
  await writeFile(path.join(folder, "header.json"), `${JSON.stringify(header, null, 1)}\n`);
}

function quantise(table: Matrix): { readonly rows: Int8Array; readonly scales: Float32Array } {
  const rows = new Int8Array(table.data.length);
  const scales = new Float32Array(table.rows);
  for (let row = 0; row < table.rows; row++) {
    const values = rowOf(table, row);
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const scale = Math.fround(largest / 127) || 1;
    scales[row] = scale;
    for (const [k, value] of values.entries()) {
      rows[row * table.columns + k] = Math.max(-127, Math.min(127, Math.round(value / scale)));
    }
  }
  return { rows, scales };
}

function littleEndian(values: Float32Array): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes;
}
