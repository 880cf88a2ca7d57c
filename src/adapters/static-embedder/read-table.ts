import { readFile } from "node:fs/promises";
import path from "node:path";
import { SlowwaveError } from "../../model/errors.ts";
import { fieldsOf } from "../../model/json.ts";
import { createVocabulary, type Vocabulary } from "./vocabulary.ts";

/** The token table of `assets/static-embedding`, as laid out in its `header.json`. */
export interface TokenTable {
  readonly dimensions: number;
  readonly maxTokens: number;
  /** First 8 hex digits of the table's SHA-256, as its header records it. */
  readonly hashPrefix: string;
  readonly vocabulary: Vocabulary;
  /** Row-major, one row a token. */
  readonly rows: Int8Array;
  /** One factor a row: dequantisation times frequency weight. */
  readonly scales: Float32Array;
}

/** `header.json`, as far as it is needed. */
interface Header {
  readonly dims: number;
  readonly vocabSize: number;
  readonly maxTokens: number;
  readonly files: { readonly table: string; readonly scale: string; readonly vocab: string };
  /** SHA-256 of each file, by name. */
  readonly sha256: Readonly<Record<string, string>>;
}

/**
 * Reads the table from `directory`. Sizes are checked, hashes are not: hashing 8 MB at every start would cost more than
 * all the rest of the load. Fails with `SlowwaveError("embedder")`.
 */
export async function readTable(directory: string): Promise<TokenTable> {
  const header = parseHeader(directory, await readAsset(directory, "header.json"));
  const { dims, vocabSize, files } = header;
  const [table, scale, vocab] = await Promise.all([
    readAsset(directory, files.table, vocabSize * dims),
    readAsset(directory, files.scale, vocabSize * Float32Array.BYTES_PER_ELEMENT),
    readAsset(directory, files.vocab),
  ]);
  const vocabulary = createVocabulary(vocab.toString("utf8"), vocabSize);
  if (vocabulary.size !== vocabSize || vocabulary.idOf("[UNK]") === undefined) {
    throw damaged(
      directory,
      `${files.vocab}: expected ${vocabSize} tokens with [UNK], got ${vocabulary.size}`,
    );
  }
  return {
    dimensions: dims,
    maxTokens: header.maxTokens,
    hashPrefix: (header.sha256[files.table] ?? "").slice(0, 8),
    vocabulary,
    rows: new Int8Array(table.buffer, table.byteOffset, table.length),
    scales: floatsOf(scale),
  };
}

/** Little-endian, as every machine that Node runs on; copied, because a view must begin at a multiple of four bytes. */
function floatsOf(bytes: Buffer): Float32Array {
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer);
}

function parseHeader(directory: string, bytes: Buffer): Header {
  let cause: unknown;
  try {
    const header: unknown = JSON.parse(bytes.toString("utf8"));
    if (isHeader(header)) return header;
  } catch (error) {
    cause = error;
  }
  throw damaged(directory, "header.json: expected a static-token-table header of version 1", cause);
}

function isHeader(value: unknown): value is Header {
  const { format, version, dims, vocabSize, maxTokens, files, sha256 } = fieldsOf(value);
  const { table, scale, vocab } = fieldsOf(files);
  return (
    format === "static-token-table" &&
    version === 1 &&
    [dims, vocabSize, maxTokens].every((count) => Number.isInteger(count) && Number(count) > 0) &&
    [table, scale, vocab].every((name) => typeof name === "string") &&
    Object.values(fieldsOf(sha256)).every((sum) => /^[0-9a-f]{64}$/.test(String(sum)))
  );
}

async function readAsset(directory: string, name: string, expectedBytes?: number): Promise<Buffer> {
  const file = path.join(directory, name);
  let bytes: Buffer;
  try {
    bytes = await readFile(file);
  } catch (cause) {
    throw damaged(directory, `cannot read ${name}`, cause);
  }
  if (expectedBytes !== undefined && bytes.length !== expectedBytes) {
    throw damaged(directory, `${name}: expected ${expectedBytes} bytes, got ${bytes.length}`);
  }
  return bytes;
}

function damaged(directory: string, what: string, cause?: unknown): SlowwaveError {
  return new SlowwaveError("embedder", `static embedding table in ${directory}: ${what}`, {
    hint: "Install slowwave again: its embedding table is missing or damaged.",
    cause,
  });
}
