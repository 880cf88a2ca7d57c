import type { Environment } from "./environment.ts";
import {
  PROVIDERS,
  type Presets,
  resolveServer,
  type ServerInput,
  type ServerResolution,
} from "./resolve-server.ts";

/** As Mycelium has them. */
const PRESETS: Presets = {
  openai: { endpoint: "https://api.openai.com/v1", model: "gpt-4o-mini" },
  groq: { endpoint: "https://api.groq.com/openai/v1", model: "llama-3.1-8b-instant" },
  "lm-studio": { endpoint: "http://localhost:1234/v1", model: "local-model" },
  ollama: { endpoint: "http://localhost:11434/v1", model: "llama3.2" },
  "custom-openai-compatible": { endpoint: "https://api.openai.com/v1", model: "gpt-4o-mini" },
};

/**
 * The explicit configuration, then `LLM_PROVIDER`, `LLM_ENDPOINT`, `LLM_MODEL`, `LLM_API_KEY`, then the legacy `OPENAI_URL`,
 * `OPENAI_TOKEN`, then the provider's preset.
 */
export function resolveLanguageModel(explicit: ServerInput, env: Environment): ServerResolution {
  const named = env.LLM_PROVIDER || undefined;
  const isKnown = PROVIDERS.some((known) => known === named);
  if (named !== undefined && !isKnown && explicit.provider === undefined) {
    return {
      kind: "problem",
      problem: `LLM_PROVIDER: expected ${PROVIDERS.join(" or ")}, got "${named}"`,
    };
  }
  return resolveServer({
    sources: [explicit, ...environmentServers(env)],
    presets: PRESETS,
    group: "llm",
  });
}

/** What the environment says of servers, the strongest first: the `LLM_*` variables, then the legacy ones. */
export function environmentServers(env: Environment): readonly ServerInput[] {
  const named = env.LLM_PROVIDER || undefined;
  const provider = PROVIDERS.find((known) => known === named);
  // A name nobody knows belongs to no provider, and so does its key.
  if (named !== undefined && provider === undefined) return [legacyOf(env)];
  return [
    {
      provider,
      endpoint: env.LLM_ENDPOINT || undefined,
      model: env.LLM_MODEL || undefined,
      apiKey: env.LLM_API_KEY || undefined,
    },
    legacyOf(env),
  ];
}

/** The old variables were OpenAI's own where no URL says otherwise. */
function legacyOf(env: Environment): ServerInput {
  const endpoint = env.OPENAI_URL || undefined;
  const apiKey = env.OPENAI_TOKEN || undefined;
  if (endpoint === undefined && apiKey === undefined) return {};
  return endpoint === undefined ? { provider: "openai", apiKey } : { endpoint, apiKey };
}
