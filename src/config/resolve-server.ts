import { type ApiKey, hideKey } from "../model/api-key.ts";

export const PROVIDERS = [
  "openai",
  "groq",
  "lm-studio",
  "ollama",
  "custom-openai-compatible",
] as const;
export type Provider = (typeof PROVIDERS)[number];

/** What a provider is asked for where nobody says otherwise. */
export interface Preset {
  readonly endpoint: string;
  readonly model: string;
}
export type Presets = Readonly<Partial<Record<Provider, Preset>>>;

/** What one source says: the configuration, the `LLM_*` variables, or the legacy ones. */
export interface ServerInput {
  readonly provider?: Provider | undefined;
  readonly endpoint?: string | undefined;
  readonly model?: string | undefined;
  readonly apiKey?: string | undefined;
}

export interface ResolvedServer {
  readonly provider: Provider;
  readonly endpoint: string;
  readonly model: string;
  readonly apiKey?: ApiKey;
}

export type ServerResolution =
  /** Nothing names a provider: no server is used. */
  | { readonly kind: "none" }
  | { readonly kind: "model"; readonly model: ResolvedServer }
  | { readonly kind: "problem"; readonly problem: string };

/**
 * The server that the strongest source names, with what the sources say that mean the same one. A source that names another
 * provider, or another endpoint, than the one chosen gives nothing: above all no key goes to a provider it was not given for.
 */
export function resolveServer(input: {
  /** The strongest first. */
  readonly sources: readonly ServerInput[];
  readonly presets: Presets;
  /** Of the configuration, for messages: `llm`. */
  readonly group: string;
}): ServerResolution {
  const chosen = input.sources.map(providerOf).find((one) => one !== undefined);
  return chosen === undefined ? { kind: "none" } : resolveFor(chosen, input);
}

function resolveFor(
  provider: Provider,
  { sources, presets, group }: Parameters<typeof resolveServer>[0],
): ServerResolution {
  const fitting = sources.filter((source) => (providerOf(source) ?? provider) === provider);
  const preset = presets[provider];
  // Whoever gives a key without an endpoint means the provider's own: no weaker source sends that key elsewhere.
  const keyAt = fitting.findIndex((source) => source.apiKey !== undefined);
  const before = keyAt < 0 ? fitting : fitting.slice(0, keyAt + 1);
  const endpoint = firstOf(before, "endpoint") ?? preset?.endpoint;
  if (endpoint === undefined || !isHttpUrl(endpoint)) {
    const got = endpoint === undefined ? "nothing" : `"${endpoint}"`;
    return {
      kind: "problem",
      problem: `${group}.endpoint: expected an http or https URL, got ${got}`,
    };
  }
  const ofServer = fitting.filter((source) => (source.endpoint ?? endpoint) === endpoint);
  const apiKey = firstOf(
    ofServer.filter((source) => isKeyFor(source, endpoint === preset?.endpoint)),
    "apiKey",
  );
  const model = firstOf(ofServer, "model") ?? preset?.model;
  if (model === undefined) {
    return {
      kind: "problem",
      problem: `${group}.model: expected the name of a model, got nothing`,
    };
  }
  return {
    kind: "model",
    model: {
      provider,
      endpoint,
      model,
      ...(apiKey === undefined ? {} : { apiKey: hideKey(apiKey) }),
    },
  };
}

/** A source that names a provider alone means that provider's own server; a custom one has none. */
function isKeyFor(source: ServerInput, isPreset: boolean): boolean {
  if (source.endpoint !== undefined || source.provider === undefined) return true;
  return source.provider === "custom-openai-compatible" || isPreset;
}

function firstOf(
  sources: readonly ServerInput[],
  field: "endpoint" | "model" | "apiKey",
): string | undefined {
  return sources.map((source) => source[field]).find((value) => value !== undefined);
}

/** The provider that a source names, or that its endpoint gives away. */
function providerOf({ provider, endpoint }: ServerInput): Provider | undefined {
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
