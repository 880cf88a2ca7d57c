import { mkdtemp, readdir, rm, truncate } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createOpenAiEmbedder,
  type OpenAiEmbedderOptions,
} from "../../../src/adapters/openai/create-openai-embedder.ts";
import { openVectorCache } from "../../../src/adapters/vector-cache/open-vector-cache.ts";
import { testEmbedder } from "../../contracts/embedder.ts";
import { type Answer, json, type Received, startServer } from "./scripted-server.ts";

const KEY = "test-key-that-nobody-may-see";
const NOW = Date.UTC(2026, 2, 2, 9);

/** A vector that depends on the text alone. */
function vectorOf(text: string): number[] {
  const sum = [...text].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return [1 + (sum % 89), 1 + (sum % 97), text.length, 3];
}

function inputOf({ body }: Received): readonly string[] {
  return Array.isArray(body.input) ? body.input : [];
}

/** Answers with one vector a text, the last one first. */
const embed: Answer = (response, received) => {
  const data = inputOf(received).map((text, index) => ({ index, embedding: vectorOf(text) }));
  json(200, { object: "list", data: data.reverse(), usage: { total_tokens: 9 } })(
    response,
    received,
  );
};

async function open(answers: readonly Answer[], fields: Partial<OpenAiEmbedderOptions> = {}) {
  const { endpoint, received } = await startServer(...answers);
  const cacheFolder = await mkdtemp(path.join(tmpdir(), "slowwave-vectors-"));
  onTestFinished(() => rm(cacheFolder, { recursive: true, force: true }));
  const [waits, notes, paces]: [number[], string[], number[]] = [[], [], []];
  const options: OpenAiEmbedderOptions = {
    provider: "custom-openai-compatible",
    endpoint,
    model: "BAAI/tiny",
    dimensions: 4,
    askDimensions: false,
    key: KEY,
    timeoutMs: 5000,
    textsPerCall: 3,
    tokensPerCall: 100,
    tokensPerText: 40,
    cache: openVectorCache({ folder: cacheFolder, scope: [], dimensions: 4 }),
    system: { wallNow: () => NOW, sleep: async (ms) => void waits.push(ms) },
    pace: async () => void paces.push(1),
    onNote: (note) => notes.push(note),
    ...fields,
  };
  return {
    embedder: createOpenAiEmbedder(options),
    options,
    cacheFolder,
    received,
    waits,
    notes,
    paces,
  };
}

testEmbedder("OpenAI-compatible embedder", async () => (await open([embed])).embedder);

test("the id names provider, model and size, and is fit for a file name", async () => {
  const { embedder } = await open([embed]);
  expect(embedder.id).toBe("custom-openai-compatible:BAAI%2Ftiny@4");
});

test("texts go out in batches by number and by tokens, each paced, with the key in the header alone", async () => {
  const { embedder, received, paces, notes } = await open([embed]);
  const long = (letter: string) => letter.repeat(120);
  const texts = ["a", "b", "c", "d", long("e"), long("f"), long("g"), "h", "a"];
  const vectors = await embedder.embed(texts);
  expect(received.map(inputOf)).toEqual([
    ["a", "b", "c"],
    ["d", long("e"), long("f")],
    [long("g"), "h"],
  ]);
  expect([paces.length, notes.length]).toEqual([3, 3]);
  const length = Math.hypot(...vectorOf("d"));
  expect(vectors[3]).toEqual(Float32Array.from(vectorOf("d"), (value) => value / length));
  expect(vectors[8]).toEqual(vectors[0]);
  expect(received[0]).toMatchObject({
    path: "/v1/embeddings",
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: "BAAI/tiny", encoding_format: "float" },
  });
  expect(JSON.stringify([received.map(({ body }) => body), notes])).not.toContain(KEY);
});

test("a vector is asked for once, also by the next process, and again when its file was cut short", async () => {
  const { embedder, options, cacheFolder, received } = await open([embed]);
  const first = await embedder.embed(["tea", "coffee"]);
  expect(await createOpenAiEmbedder(options).embed(["coffee", "tea"])).toEqual(
    [...first].reverse(),
  );
  expect(received).toHaveLength(1);
  const cache = openVectorCache({ folder: cacheFolder, scope: ["other"], dimensions: 4 });
  await createOpenAiEmbedder({ ...options, cache }).embed(["tea"]);
  expect(received).toHaveLength(2);
  for (const file of await readdir(cacheFolder, { recursive: true })) {
    if (file.endsWith(".f32")) await truncate(path.join(cacheFolder, file), 7);
  }
  expect(await embedder.embed(["tea", "coffee"])).toEqual(first);
  expect(received).toHaveLength(3);
});

test("what was embedded before a failure is not asked for again", async () => {
  const { embedder, received } = await open([
    embed,
    json(500, {}),
    json(500, {}),
    json(500, {}),
    embed,
  ]);
  const texts = ["a", "b", "c", "d"];
  await expect(embedder.embed(texts)).rejects.toMatchObject({ code: "embedder" });
  expect(await embedder.embed(texts)).toHaveLength(4);
  expect(received.map(inputOf).at(-1)).toEqual(["d"]);
});

test("blank texts are not sent, and half characters are mended", async () => {
  const { embedder, received } = await open([embed]);
  const [blank, torn] = await embedder.embed([" \n ", " torn \uD83D end "]);
  expect(blank).toEqual(new Float32Array(4));
  expect(torn).not.toEqual(blank);
  expect(received.map(inputOf)).toEqual([["torn \uFFFD end"]]);
});

test("of an over-long text the beginning is embedded, whole characters only", async () => {
  const { embedder, received } = await open([embed]);
  await embedder.embed(["x".repeat(500), "é".repeat(500)]);
  expect(received.flatMap(inputOf)).toEqual(["x".repeat(120), "é".repeat(60)]);
});

test("a refused batch is halved down to the text that the server cannot take, of which less is tried", async () => {
  const limit: Answer = (response, received) =>
    inputOf(received).some((text) => text.length > 50)
      ? json(400, { error: { message: "too long" } })(response, received)
      : embed(response, received);
  const { embedder, received } = await open([limit]);
  expect(await embedder.embed(["a", "b", "z".repeat(90)])).toHaveLength(3);
  expect(received.map(inputOf).map((texts) => texts.map(({ length }) => length))).toEqual([
    [1, 1, 90],
    [1, 1],
    [90],
    [45],
  ]);
});

test("the size is named where it has to be, and left out for a server that refuses it", async () => {
  const wanting = await open([embed], { askDimensions: true });
  await wanting.embedder.embed(["a"]);
  expect(wanting.received[0]?.body).toMatchObject({ dimensions: 4 });
  const refuse = json(400, { error: { message: "unknown field: dimensions" } });
  const refusing = await open([refuse, embed], { askDimensions: true });
  await refusing.embedder.embed(["a"]);
  await refusing.embedder.embed(["b"]);
  expect(refusing.received.map(({ body }) => body.dimensions)).toEqual([4, undefined, undefined]);
  expect(refusing.paces).toHaveLength(3);
});

test("vectors of another size are refused with both sizes named", async () => {
  const { embedder } = await open([embed], { dimensions: 768 });
  await expect(embedder.embed(["a"])).rejects.toMatchObject({
    code: "embedder",
    message: expect.stringMatching(/BAAI\/tiny: expected vectors of 768 numbers, got 4/u),
    hint: expect.stringContaining("embeddings.dimensions"),
  });
});

test.each([
  ["seconds", { "retry-after": "7" }, 7000],
  ["a date", { "retry-after": new Date(NOW + 9000).toUTCString() }, 9000],
  ["nothing readable", {}, 1000],
])("a 429 waits as it is told: %s", async (_name, headers, wait) => {
  const { embedder, waits, received } = await open([json(429, {}, headers), embed]);
  expect(await embedder.embed(["a"])).toHaveLength(1);
  expect([waits, received.length]).toEqual([[wait], 2]);
});

test.each<[string, readonly Answer[], number, RegExp, string]>([
  [
    "a wrong key",
    [json(401, { error: { message: `bad key ${KEY}` } })],
    1,
    /answered 401$/u,
    "key",
  ],
  ["no such model", [json(404, {})], 1, /answered 404$/u, "embeddings.model"],
  ["a busy server", [json(429, {}, { "retry-after": "3600" })], 1, /answered 429$/u, "built-in"],
  ["a broken server", [json(503, {})], 3, /answered 503$/u, "built-in"],
  ["no embeddings", [json(200, { hello: KEY })], 1, /expected 1 vectors, got no list/u, "built-in"],
  ["too few", [json(200, { data: [] })], 1, /expected 1 vectors, got 0/u, "built-in"],
  ["a lost line", [(response) => response.destroy()], 3, /the connection failed$/u, "built-in"],
])(
  "%s is an error that says what to do and shows no key",
  async (_name, answers, calls, message, hint) => {
    const { embedder, received } = await open(answers);
    const error = await embedder.embed(["my text"]).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "embedder",
      message: expect.stringMatching(message),
      hint: expect.stringContaining(hint),
    });
    expect(received).toHaveLength(calls);
    expect(JSON.stringify([String(error), error])).not.toMatch(new RegExp(`${KEY}|my text`, "u"));
  },
);

test("a server that never answers ends with the time limit, and one that stops in the middle too", async () => {
  const silent = await open([() => undefined], { timeoutMs: 50 });
  await expect(silent.embedder.embed(["a"])).rejects.toThrow("no reply within 0.05 s");
  const half: Answer = (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"data": [');
  };
  const hanging = await open([half], { timeoutMs: 50 });
  await expect(hanging.embedder.embed(["a"])).rejects.toThrow("no reply within 0.05 s");
});

test("without a key none is sent, whatever the environment holds", async () => {
  process.env.OPENAI_API_KEY = "somebody-elses";
  onTestFinished(() => {
    delete process.env.OPENAI_API_KEY;
  });
  const { embedder, received } = await open([embed], { key: undefined });
  await embedder.embed(["a"]);
  expect(received[0]?.headers.authorization).toBeUndefined();
});
