import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import type { Config } from "../../src/config/config.ts";
import { type EmbeddingsInput, resolveEmbeddings } from "../../src/config/embeddings.ts";
import { loadConfig } from "../../src/config/load-config.ts";

type Env = Readonly<Record<string, string>>;

/** `provider endpoint model dimensions key`, or what else it comes to. */
function resolved(explicit: EmbeddingsInput, env: Env = {}): string {
  const resolution = resolveEmbeddings(explicit, env);
  if (resolution.kind === "problem") return resolution.problem;
  if (resolution.kind !== "model") return resolution.kind;
  const { provider, endpoint, model, dimensions, apiKey } = resolution.model;
  return [provider, endpoint, model, dimensions, apiKey?.reveal() ?? "-"].join(" ");
}

test("a local model needs nothing else", () => {
  expect(resolveEmbeddings({ provider: "local" }, {})).toEqual({ kind: "local" });
});

test("the built-in embedder is used until something names a provider, whatever models and keys lie about", () => {
  const env = { LLM_PROVIDER: "openai", LLM_API_KEY: "k", OPENAI_TOKEN: "t" };
  expect(resolved({}, env)).toBe("none");
  expect(resolved({ provider: "built-in", model: "m", dimensions: 3 }, env)).toBe("none");
});

test.each<[EmbeddingsInput, string]>([
  [{ provider: "openai" }, "openai https://api.openai.com/v1 text-embedding-3-small 1536 -"],
  [
    { provider: "lm-studio" },
    "lm-studio http://localhost:1234/v1 text-embedding-nomic-embed-text-v1.5 768 -",
  ],
  [
    { endpoint: "http://localhost:11434/v1" },
    "ollama http://localhost:11434/v1 nomic-embed-text 768 -",
  ],
  [
    { provider: "ollama", model: "bge-m3:567m" },
    "ollama http://localhost:11434/v1 bge-m3:567m 1024 -",
  ],
  [
    { endpoint: "https://e.example.org/v1", model: "own", dimensions: 99 },
    "custom-openai-compatible https://e.example.org/v1 own 99 -",
  ],
  [
    { provider: "openai", model: "own" },
    'embeddings.dimensions: expected how many numbers a vector of "own" has, got nothing',
  ],
  [
    { provider: "custom-openai-compatible", model: "own" },
    "embeddings: expected a provider that has an endpoint, or an endpoint, beside the other keys",
  ],
  [
    { endpoint: "mail:me", model: "own" },
    'embeddings.endpoint: expected an http or https URL, got "mail:me"',
  ],
  [
    { endpoint: "https://e.example.org/v1" },
    "embeddings.model: expected the name of a model, got nothing",
  ],
  [
    { model: "own" },
    "embeddings: expected a provider that has an endpoint, or an endpoint, beside the other keys",
  ],
])("%j comes to: %s", (input, result) => {
  expect(resolved(input)).toBe(result);
});

test("the size is asked for where it is not the model's own", () => {
  const asked = (input: EmbeddingsInput) => {
    const resolution = resolveEmbeddings(input, {});
    return resolution.kind === "model" && resolution.model.askDimensions;
  };
  expect(asked({ provider: "openai" })).toBe(false);
  expect(asked({ provider: "openai", dimensions: 1536 })).toBe(false);
  expect(asked({ provider: "openai", dimensions: 256 })).toBe(true);
});

test.each<[string, EmbeddingsInput, Env, string]>([
  ["its own", { provider: "openai", apiKey: "own" }, { OPENAI_TOKEN: "t" }, "own"],
  [
    "the model's, for the same provider",
    { provider: "openai" },
    { LLM_PROVIDER: "openai", LLM_API_KEY: "k" },
    "k",
  ],
  ["OpenAI's old name", { provider: "openai" }, { OPENAI_TOKEN: "t" }, "t"],
  [
    "none of another provider",
    { provider: "openai" },
    { LLM_PROVIDER: "groq", LLM_API_KEY: "k" },
    "-",
  ],
  [
    "none of an unknown provider",
    { provider: "openai" },
    { LLM_PROVIDER: "mine", LLM_API_KEY: "k" },
    "-",
  ],
  [
    "none of another endpoint",
    { provider: "openai" },
    { LLM_PROVIDER: "openai", LLM_ENDPOINT: "https://proxy.example.org/v1", LLM_API_KEY: "k" },
    "-",
  ],
  [
    "none for a custom endpoint",
    { endpoint: "https://e.example.org/v1", model: "m", dimensions: 3 },
    { OPENAI_TOKEN: "t" },
    "-",
  ],
])("the key is %s", (_name, input, env, key) => {
  expect(resolved(input, env).split(" ").at(-1)).toBe(key);
});

test("loadConfig keeps a key in the file from a server that the environment names, and shows it to nobody", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-config-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, "config.yaml");
  const embeddings = { provider: "openai", apiKey: "file-key" };
  await writeFile(file, stringify({ embeddings }));
  const env = { HOME: folder };
  const serverOf = ({ embeddings: found }: Config) =>
    found === undefined || found.provider === "local" ? undefined : found;
  const plain = await loadConfig({ file, env });
  expect(plain.embeddings).toMatchObject({
    provider: "openai",
    dimensions: 1536,
    textsPerCall: 128,
  });
  expect(serverOf(plain)?.apiKey?.reveal()).toBe("file-key");
  expect([inspect(plain), JSON.stringify(plain)].join()).not.toContain("file-key");
  const elsewhere = { ...env, SLOWWAVE_EMBEDDINGS_ENDPOINT: "https://e.example.org/v1" };
  const other = serverOf(await loadConfig({ file, env: elsewhere }));
  expect(other?.endpoint).toBe("https://e.example.org/v1");
  expect(other?.apiKey).toBeUndefined();
  const off = { ...env, SLOWWAVE_EMBEDDINGS_PROVIDER: "built-in" };
  expect(await loadConfig({ file, env: off })).not.toHaveProperty("embeddings");
});
