import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { resolveLanguageModel } from "../../src/config/language-model.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { PROVIDERS, type ServerInput } from "../../src/config/resolve-server.ts";

type Env = Readonly<Record<string, string>>;

/** `provider endpoint model key`, or what else it comes to. */
function resolved(explicit: ServerInput, env: Env = {}): string {
  const resolution = resolveLanguageModel(explicit, env);
  if (resolution.kind !== "model") return resolution.kind;
  const { provider, endpoint, model, apiKey } = resolution.model;
  return [provider, endpoint, model, apiKey?.reveal() ?? "-"].join(" ");
}

test("no model is used where nothing names a provider, whatever keys lie about", () => {
  expect(resolved({})).toBe("none");
  expect(resolved({}, { OPENAI_API_KEY: "k", LLM_API_KEY: "k", LLM_MODEL: "m" })).toBe("none");
  expect(resolved({}, { LLM_PROVIDER: "", OPENAI_URL: "" })).toBe("none");
});

test("each provider has a preset", () => {
  expect(PROVIDERS.map((provider) => resolved({ provider }))).toEqual([
    "openai https://api.openai.com/v1 gpt-4o-mini -",
    "groq https://api.groq.com/openai/v1 llama-3.1-8b-instant -",
    "lm-studio http://localhost:1234/v1 local-model -",
    "ollama http://localhost:11434/v1 llama3.2 -",
    "custom-openai-compatible https://api.openai.com/v1 gpt-4o-mini -",
  ]);
});

test.each([
  ["https://api.groq.com/openai/v1", "groq"],
  ["https://api.openai.com/v1", "openai"],
  ["http://localhost:1234/v1", "lm-studio"],
  ["http://127.0.0.1:9999/v1", "lm-studio"],
  ["http://localhost:11434/v1", "ollama"],
  ["http://ollama.lan/v1", "ollama"],
  ["https://models.example.org/v1", "custom-openai-compatible"],
  ["https://groq.com.example.org/v1", "custom-openai-compatible"],
])("an endpoint gives its provider away: %s", (endpoint, provider) => {
  expect(resolved({ endpoint }).split(" ").slice(0, 2)).toEqual([provider, endpoint]);
});

const LEGACY = { OPENAI_URL: "https://old.example.org/v1", OPENAI_TOKEN: "old-key" };
const MODERN = {
  LLM_PROVIDER: "groq",
  LLM_ENDPOINT: "https://proxy.groq.com/v1",
  LLM_MODEL: "big",
  LLM_API_KEY: "groq-key",
};

test("the configuration wins over LLM_*, that over the old names, and those over the preset", () => {
  expect(resolved({}, LEGACY)).toBe(
    "custom-openai-compatible https://old.example.org/v1 gpt-4o-mini old-key",
  );
  expect(resolved({}, { ...LEGACY, ...MODERN })).toBe(
    "groq https://proxy.groq.com/v1 big groq-key",
  );
  expect(resolved({ model: "tiny" }, MODERN)).toBe("groq https://proxy.groq.com/v1 tiny groq-key");
  expect(resolved({ provider: "groq", model: "tiny", apiKey: "own" }, MODERN)).toBe(
    "groq https://api.groq.com/openai/v1 tiny own",
  );
  expect(resolved({}, { OPENAI_TOKEN: "old-key" })).toBe(
    "openai https://api.openai.com/v1 gpt-4o-mini old-key",
  );
});

test("a key in the environment that names no provider is for the configured one", () => {
  expect(resolved({ provider: "groq" }, { LLM_API_KEY: "k" })).toMatch(/^groq .* k$/u);
  expect(resolved({ endpoint: "https://a.example.org/v1" }, { LLM_API_KEY: "k" })).toMatch(/ k$/u);
});

test.each<[string, ServerInput, Env]>([
  ["another provider", { provider: "openai" }, MODERN],
  ["another server", { endpoint: "https://other.groq.com/v1" }, MODERN],
  ["another custom server", { endpoint: "https://a.example.org/v1" }, LEGACY],
  ["OpenAI, for a custom server", { endpoint: "https://a.example.org/v1" }, { OPENAI_TOKEN: "k" }],
  ["OpenAI, for a local one", { provider: "ollama" }, { OPENAI_TOKEN: "k" }],
  [
    "a provider's own server, for another one of that name",
    { endpoint: "https://proxy.groq.com/v1" },
    { LLM_PROVIDER: "groq", LLM_API_KEY: "k" },
  ],
  [
    "a provider that nobody knows",
    { provider: "openai" },
    { LLM_PROVIDER: "other", LLM_API_KEY: "k" },
  ],
])("a key stays at home where it was given for %s", (_name, explicit, env) => {
  expect(resolved(explicit, env)).toMatch(/ -$/u);
});

test("an unknown provider and an endpoint that is no URL are problems", () => {
  expect(resolved({}, { LLM_PROVIDER: "grok" })).toBe("problem");
  expect(resolved({ endpoint: "localhost:1234" })).toBe("problem");
  expect(resolved({ endpoint: "file:///etc/passwd" })).toBe("problem");
});

async function home(file?: string): Promise<Record<string, string>> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-config-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  if (file !== undefined) await writeFile(path.join(folder, "config.yaml"), file);
  return { HOME: folder, SLOWWAVE_HOME: folder };
}

test("loadConfig resolves the model from file and environment, and shows its key to nobody", async () => {
  const places = await home("llm:\n  provider: groq\n  callsPerRun: 7\n");
  const config = await loadConfig({ env: { ...places, LLM_API_KEY: "hidden" } });
  expect(config.llm).toMatchObject({
    provider: "groq",
    callsPerRun: 7,
    tokensPerRun: 100_000,
    cacheFolder: path.join(places.SLOWWAVE_HOME ?? "", "cache", "llm"),
  });
  expect(config.llm?.apiKey?.reveal()).toBe("hidden");
  for (const text of [JSON.stringify(config), stringify(config), inspect(config, { depth: 9 })]) {
    expect(text).not.toContain("hidden");
  }
  expect((await loadConfig({ env: await home() })).llm).toBeUndefined();
});

test("loadConfig says what is wrong with a model, and shows no key", async () => {
  await expect(loadConfig({ env: { ...(await home()), LLM_PROVIDER: "grok" } })).rejects.toThrow(
    /LLM_PROVIDER: expected openai or groq/u,
  );
  const env = await home("llm:\n  provider: groq\n  apiKey: 123456\n");
  await expect(loadConfig({ env })).rejects.toThrow(/llm\.apiKey: .*got something else/u);
});
