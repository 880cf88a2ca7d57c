import { cp, mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { loadStaticEmbedder } from "../../../src/adapters/static-embedder/load-static-embedder.ts";
import { testEmbedder } from "../../contracts/embedder.ts";

testEmbedder("static embedder", () => loadStaticEmbedder());

const here = import.meta.dirname;

test("static embedder gives the vectors that the plain encoder of the benchmark gave when the table was built", async () => {
  const embedder = await loadStaticEmbedder();
  const recorded = z
    .array(z.object({ text: z.string(), weighted: z.number(), sampled: z.string() }))
    .parse(JSON.parse(await readFile(path.join(here, "expected-vectors.json"), "utf8")));
  expect(recorded.length).toBeGreaterThan(40);
  for (const { text, weighted, sampled } of recorded) {
    const vector = embedder.encode(text);
    const bytes = Buffer.from(sampled, "base64");
    for (let k = 0; k < 32; k++) {
      expect(Math.abs((vector[k * 8] ?? 0) - bytes.readFloatLE(k * 4)), text).toBeLessThan(1e-6);
    }
    const sum = vector.reduce((total, x, k) => total + x * ((k % 7) + 1), 0);
    expect(Math.abs(sum - weighted), text).toBeLessThan(1e-5);
  }
});

test("static embedder names table version and content in its id", async () => {
  expect((await loadStaticEmbedder()).id).toBe("static-wordnet-256@1-794f2866");
});

test("static embedder encodes one text as it embeds a batch", async () => {
  const embedder = await loadStaticEmbedder();
  expect(await embedder.embed(["Maria likes tea"])).toEqual([embedder.encode("Maria likes tea")]);
});

test("static embedder rates a paraphrase above an unrelated sentence", async () => {
  const { encode } = await loadStaticEmbedder();
  const similarity = (a: string, b: string): number => {
    const right = encode(b);
    return encode(a).reduce((sum, x, k) => sum + x * (right[k] ?? 0), 0);
  };
  const paraphrase = similarity(
    "The doctor cured the patient.",
    "The physician healed the patient.",
  );
  expect(paraphrase).toBeGreaterThan(0.75);
  expect(similarity("The doctor cured the patient.", "The train leaves at noon.")).toBeLessThan(
    0.4,
  );
});

test("static embedder gives no vector to texts of unknown words, rather than the same one to all", async () => {
  const { encode } = await loadStaticEmbedder();
  expect(encode("🎉 🚀")).toEqual(new Float32Array(256));
});

test("static embedder names the folder and the cure where the table is missing", async () => {
  const assetsDir = await mkdtemp(path.join(tmpdir(), "slowwave-assets-"));
  onTestFinished(() => rm(assetsDir, { recursive: true }));
  await expect(loadStaticEmbedder({ assetsDir })).rejects.toMatchObject({
    code: "embedder",
    message: expect.stringContaining(assetsDir),
    hint: expect.stringContaining("Install slowwave again"),
  });
});

test("static embedder refuses a table that was cut short and a header it does not know", async () => {
  const assetsDir = await mkdtemp(path.join(tmpdir(), "slowwave-assets-"));
  onTestFinished(() => rm(assetsDir, { recursive: true }));
  const folder = path.join(assetsDir, "static-embedding");
  await cp(path.join(here, "../../../assets/static-embedding"), folder, { recursive: true });
  expect((await loadStaticEmbedder({ assetsDir })).dimensions).toBe(256);

  await truncate(path.join(folder, "static.scale.bin"), 100);
  await expect(loadStaticEmbedder({ assetsDir })).rejects.toThrow(
    "static.scale.bin: expected 122088 bytes, got 100",
  );

  await writeFile(path.join(folder, "header.json"), '{"format":"other"}');
  await expect(loadStaticEmbedder({ assetsDir })).rejects.toThrow(
    "expected a static-token-table header",
  );
});
