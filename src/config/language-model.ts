import { type ApiKey, hideKey } from "../model/api-key.ts";
import type { Environment } from "./environment.ts";

export const PROVIDERS = [
  "openai",
  "groq",
  "lm-studio",
  "ollama",
  "custom-openai-compatible",
] as const;
export type Provider = (typeof PROVIDERS)[number];

interface Preset {
  readonly endpoint: string;
  readonly model: string;
}

/** As Mycelium has them. */
const PRESETS: Readonly<Record<Provider, Preset>> = {
  openai: { endpoint: "https://api.openai.com/v1", model: "gpt-4o-mini" },
  groq: { endpoint: "https://api.groq.com/openai/v1", model: "llama-3.1-8b-instant" },
  "lm-studio": { endpoint: "http://localhost:1234/v1", model: "local-model" },
  ollama: { endpoint: "http://localhost:11434/v1", model: "llama3.2" },
  "custom-openai-compatible": { endpoint: "https://api.openai.com/v1", model: "gpt-4o-mini" },
};

/** What one source says: the configuration, the `LLM_*` variables, or the legacy ones. */
export interface LanguageModelInput {
  readonly provider?: Provider | undefined;
  readonly endpoint?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface ResolvedLanguageModel {
  readonly provider: Provider;
  readonly endpoint: string;
  readonly model: string;
  readonly apiKey?: ApiKey;
}

export type LanguageModelResolution =
  /** Nothing names a provider: no model is used. */
  | { readonly kind: "none" }
  | { readonly kind: "model"; readonly model: ResolvedLanguageModel }
  | { readonly kind: "problem"; readonly problem: string };

/**
 * The explicit configuration, then `LLM_PROVIDER`, `LLM_ENDPOINT`, `LLM_MODEL`, `LLM_API_KEY`, then the legacy `OPENAI_URL`,
 * `OPENAI_TOKEN`, then the provider's preset. A source that names another provider, or another endpoint, than the one chosen
 * gives nothing: above all no key goes to a provider it was not given for.
 */
export function resolveLanguageModel(
  explicit: LanguageModelInput,
  env: Environment,
): LanguageModelResolution {
  const named = env.LLM_PROVIDER || undefined;
  const provider = PROVIDERS.find((known) => known === named);
  if (named !== undefined && provider === undefined && explicit.provider === undefined) {
    return {
      kind: "problem",
      problem: `LLM_PROVIDER: expected ${PROVIDERS.join(" or ")}, got "${named}"`,
    };
  }
  const sources: readonly LanguageModelInput[] = [
    explicit,
    // A name nobody knows belongs to no provider, and so does its key.
    named !== undefined && provider === undefined
      ? {}
      : {
          provider,
          endpoint: env.LLM_ENDPOINT || undefined,
          model: env.LLM_MODEL || undefined,
          apiKey: env.LLM_API_KEY || undefined,
        },
    legacyOf(env),
  ];
  const chosen = sources.map(providerOf).find((one) => one !== undefined);
  return chosen === undefined ? { kind: "none" } : resolveFor(chosen, sources);
}

/** The old variables were OpenAI's own where no URL says otherwise. */
function legacyOf(env: Environment): LanguageModelInput {
  const endpoint = env.OPENAI_URL || undefined;
  const apiKey = env.OPENAI_TOKEN || undefined;
  if (endpoint === undefined && apiKey === undefined) return {};
  return endpoint === undefined ? { provider: "openai", apiKey } : { endpoint, apiKey };
}

function resolveFor(
  provider: Provider,
  sources: readonly LanguageModelInput[],
): LanguageModelResolution {
  const fitting = sources.filter((source) => (providerOf(source) ?? provider) === provider);
  const preset = PRESETS[provider];
  // Whoever gives a key without an endpoint means the provider's own: no weaker source sends that key elsewhere.
  const keyAt = fitting.findIndex((source) => source.apiKey !== undefined);
  const before = keyAt < 0 ? fitting : fitting.slice(0, keyAt + 1);
  const endpoint = firstOf(before, "endpoint") ?? preset.endpoint;
  if (!isHttpUrl(endpoint)) {
    return {
      kind: "problem",
      problem: `llm.endpoint: expected an http or https URL, got "${endpoint}"`,
    };
  }
  const ofServer = fitting.filter((source) => (source.endpoint ?? endpoint) === endpoint);
  const apiKey = firstOf(
    ofServer.filter((source) => isKeyFor(source, { provider, endpoint })),
    "apiKey",
  );
  return {
    kind: "model",
    model: {
      provider,
      endpoint,
      model: firstOf(ofServer, "model") ?? preset.model,
      ...(apiKey === undefined ? {} : { apiKey: hideKey(apiKey) }),
    },
  };
}

/** A source that names a provider alone means that provider's own server; a custom one has none. */
function isKeyFor(
  source: LanguageModelInput,
  chosen: { readonly provider: Provider; readonly endpoint: string },
): boolean {
  if (source.endpoint !== undefined || source.provider === undefined) return true;
  return (
    source.provider === "custom-openai-compatible" ||
    chosen.endpoint === PRESETS[chosen.provider].endpoint
  );
}

function firstOf(
  sources: readonly LanguageModelInput[],
  field: "endpoint" | "model" | "apiKey",
): string | undefined {
  return sources.map((source) => source[field]).find((value) => value !== undefined);
}

/** The provider that a source names, or that its endpoint gives away. */
function providerOf({ provider, endpoint }: LanguageModelInput): Provider | undefined {
  if (provider !== undefined || endpoint === undefined) return provider;
  if (!isHttpUrl(endpoint)) return "custom-openai-compatible";
  const { hostname, port } = new URL(endpoint);
  if (hostname === "api.openai.com") return "openai";
  if (hostname === "groq.com" || hostname.endsWith(".groq.com")) return "groq";
  if (hostname.includes("ollama") || (isLocal(hostname) && port === "11434")) return "ollama";
  return isLocal(hostname) ? "lm-studio" : "custom-openai-compatible";
}

function isLocal(hostname: string): boolean {
  return hostname === "localhost" || hostname === "127.0.0.1" || hostname === "[::1]";
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/u.test(new URL(text).protocol);
}
