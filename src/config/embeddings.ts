import type { Environment } from "./environment.ts";
import { environmentServers } from "./language-model.ts";
import {
  type Presets,
  type Provider,
  type ResolvedServer,
  resolveServer,
} from "./resolve-server.ts";

/** `built-in` and `local` need no server; Groq makes no embeddings. */
export const EMBEDDING_PROVIDERS = [
  "built-in",
  "local",
  "openai",
  "lm-studio",
  "ollama",
  "custom-openai-compatible",
] as const satisfies readonly (Provider | "built-in" | "local")[];

const PRESETS: Presets = {
  openai: { endpoint: "https://api.openai.com/v1", model: "text-embedding-3-small" },
  "lm-studio": {
    endpoint: "http://localhost:1234/v1",
    model: "text-embedding-nomic-embed-text-v1.5",
  },
  ollama: { endpoint: "http://localhost:11434/v1", model: "nomic-embed-text" },
};

/** Numbers in a vector of models that are widely served, as their makers state them. */
const DIMENSIONS: Readonly<Record<string, number>> = {
  "text-embedding-3-small": 1536,
  "text-embedding-3-large": 3072,
  "text-embedding-ada-002": 1536,
  "text-embedding-nomic-embed-text-v1.5": 768,
  "nomic-embed-text": 768,
  "mxbai-embed-large": 1024,
  "bge-m3": 1024,
  "all-minilm": 384,
  embeddinggemma: 768,
};

export interface EmbeddingsInput {
  readonly provider?: (typeof EMBEDDING_PROVIDERS)[number] | undefined;
  readonly endpoint?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
  readonly dimensions?: number | undefined;
}

export interface ResolvedEmbeddings extends ResolvedServer {
  readonly dimensions: number;
  /** The model has another size of its own, or an unknown one: the server is asked for `dimensions`. */
  readonly askDimensions: boolean;
}

export type EmbeddingsResolution =
  /** The built-in embedder. */
  | { readonly kind: "none" }
  /** A model on this machine, whose packages have to be installed. */
  | { readonly kind: "local" }
  | { readonly kind: "model"; readonly model: ResolvedEmbeddings }
  | { readonly kind: "problem"; readonly problem: string };

/**
 * The endpoint that the configuration names, by provider or URL; where it names none, the built-in embedder is used, whatever
 * the environment says of language models. A key of `LLM_*` or `OPENAI_TOKEN` serves here too where it was given for this very server.
 */
export function resolveEmbeddings(
  { dimensions, ...explicit }: EmbeddingsInput,
  env: Environment,
): EmbeddingsResolution {
  const { provider, ...server } = explicit;
  if (provider === "built-in") return { kind: "none" };
  if (provider === "local") return { kind: "local" };
  // The preset's own, spelled out: an endpoint that language models were given is not one for embeddings.
  const endpoint = server.endpoint ?? (provider && PRESETS[provider]?.endpoint);
  if (endpoint === undefined) {
    return isEmpty({ provider, dimensions, ...server }) ? { kind: "none" } : NOT_NAMED;
  }
  // Their model is one for language.
  const others = environmentServers(env).map((other) => ({ ...other, model: undefined }));
  const resolution = resolveServer({
    sources: [{ ...server, provider, endpoint }, ...others],
    presets: PRESETS,
    group: "embeddings",
  });
  if (resolution.kind !== "model") return resolution;
  return withDimensions(resolution.model, dimensions);
}

const NOT_NAMED: EmbeddingsResolution = {
  kind: "problem",
  problem:
    "embeddings: expected a provider that has an endpoint, or an endpoint, beside the other keys",
};

function isEmpty(input: object): boolean {
  return Object.values(input).every((value) => value === undefined);
}

function withDimensions(
  server: ResolvedServer,
  configured: number | undefined,
): EmbeddingsResolution {
  // A tag names a variant of the same model: `nomic-embed-text:v1.5`.
  const own = DIMENSIONS[server.model.replace(/:.*$/u, "")];
  const dimensions = configured ?? own;
  if (dimensions === undefined) {
    return {
      kind: "problem",
      problem: `embeddings.dimensions: expected how many numbers a vector of "${server.model}" has, got nothing`,
    };
  }
  return { kind: "model", model: { ...server, dimensions, askDimensions: dimensions !== own } };
}
