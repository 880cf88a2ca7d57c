import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  createOpenAiModel,
  type OpenAiModelOptions,
} from "../../../src/adapters/openai/create-openai-model.ts";
import type { LanguageRequest } from "../../../src/ports/language-model.ts";
import { type Answer, completion, json, startServer } from "./scripted-server.ts";

const KEY = "test-key-that-nobody-may-see";
const NOW = Date.UTC(2026, 2, 2, 9);
const SIGNAL = new AbortController().signal;

const REQUEST: LanguageRequest = {
  system: "Decide.",
  user: "The notes are blue.",
  schema: { name: "decision", schema: { type: "object", properties: {} } },
  maxOutputTokens: 100,
};

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), "slowwave-llm-"));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

async function open(answers: readonly Answer[], fields: Partial<OpenAiModelOptions> = {}) {
  const { endpoint, received } = await startServer(...answers);
  const waits: number[] = [];
  const notes: string[] = [];
  const options: OpenAiModelOptions = {
    provider: "custom-openai-compatible",
    endpoint,
    model: "small",
    key: KEY,
    timeoutMs: 5000,
    ceilings: { callsPerRun: 50, tokensPerRun: 100_000, callsPerDay: 200, tokensPerDay: 500_000 },
    cacheFolder: await folder(),
    system: {
      wallNow: () => NOW,
      sleep: async (ms) => void waits.push(ms),
      randomToken: () => "8000-half-of-all",
    },
    pace: async () => undefined,
    onNote: (note) => notes.push(note),
    ...fields,
  };
  return { model: createOpenAiModel(options), options, received, waits, notes };
}

const ask = (n = 0): LanguageRequest => ({ ...REQUEST, user: `${REQUEST.user} ${n}` });

test("a reply comes back, asked for by schema, with the key in the header alone", async () => {
  const { model, received } = await open([completion(' {"ok": true} ')]);
  expect(await model.complete(REQUEST, SIGNAL)).toMatchObject({
    kind: "reply",
    text: '{"ok": true}',
  });
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({
    path: "/v1/chat/completions",
    headers: { authorization: `Bearer ${KEY}` },
    body: { model: "small", temperature: 0, response_format: { type: "json_schema" } },
  });
  expect(JSON.stringify(received[0]?.body)).not.toContain(KEY);
  expect(JSON.stringify(received[0]?.body)).toContain("JSON");
});

test("without a key none is sent, whatever the environment holds", async () => {
  process.env.OPENAI_API_KEY = "somebody-elses";
  process.env.OPENAI_ORG_ID = "somebody";
  onTestFinished(() => {
    delete process.env.OPENAI_API_KEY;
    delete process.env.OPENAI_ORG_ID;
  });
  const { model, received } = await open([completion("{}")], { key: undefined });
  await model.complete(REQUEST, SIGNAL);
  expect(received[0]?.headers.authorization).toBeUndefined();
  expect(JSON.stringify(received[0]?.headers)).not.toContain("somebody");
});

test("a server that refuses a schema is asked for any JSON, then by the prompt alone, and remembered so", async () => {
  const refuse = json(400, { error: { message: "response_format is not supported" } });
  const { model, received } = await open([refuse, refuse, completion("{}")]);
  expect(await model.complete(ask(1), SIGNAL)).toMatchObject({ kind: "reply" });
  await model.complete(ask(2), SIGNAL);
  expect(received.map(({ body }) => body.response_format)).toEqual([
    expect.objectContaining({ type: "json_schema" }),
    { type: "json_object" },
    undefined,
    undefined,
  ]);
});

test("a server that refuses temperature and limit too is asked without them, and no further", async () => {
  const refuse = json(400, { error: { message: "use max_completion_tokens" } });
  const { model, received } = await open([refuse, refuse, refuse, completion("{}"), refuse]);
  expect(await model.complete(ask(1), SIGNAL)).toMatchObject({ kind: "reply" });
  expect(received[3]?.body).toMatchObject({ max_completion_tokens: 100 });
  expect(received[3]?.body).not.toHaveProperty("temperature");
  expect(await model.complete(ask(2), SIGNAL)).toMatchObject({ failure: "refused_request" });
  expect(received).toHaveLength(5);
});

test.each([
  ["seconds", { "retry-after": "7" }, 7000],
  ["a date", { "retry-after": new Date(NOW + 9000).toUTCString() }, 9000],
  ["milliseconds", { "retry-after-ms": "250", "retry-after": "7" }, 250],
  ["nothing readable", { "retry-after": "soon" }, 1250],
])("a 429 waits as it is told: %s", async (_name, headers, wait) => {
  const busy = json(429, { error: { message: "slow down" } }, headers);
  const { model, waits, received } = await open([busy, completion("{}")]);
  expect(await model.complete(REQUEST, SIGNAL)).toMatchObject({ kind: "reply" });
  expect([waits.map(Math.round), received.length]).toEqual([[wait], 2]);
});

test("a 429 that asks for more than a minute ends the questions of this run", async () => {
  const { model, waits, received } = await open([json(429, {}, { "retry-after": "3600" })]);
  expect(await model.complete(ask(1), SIGNAL)).toMatchObject({ failure: "rate_limited" });
  expect(await model.complete(ask(2), SIGNAL)).toMatchObject({ failure: "breaker_open" });
  expect([waits, received.length]).toEqual([[], 1]);
});

test("a server that keeps failing is tried three times a question, and left alone after three questions", async () => {
  const { model, waits, received } = await open([json(503, { error: { message: KEY } })]);
  for (const n of [1, 2, 3]) {
    expect(await model.complete(ask(n), SIGNAL)).toMatchObject({ failure: "server_error" });
  }
  expect(received).toHaveLength(9);
  // Stretched by half of a half, as the token says.
  expect(waits.slice(0, 2).map(Math.round)).toEqual([1250, 2500]);
  expect(await model.complete(ask(4), SIGNAL)).toMatchObject({ failure: "breaker_open" });
  expect(received).toHaveLength(9);
});

test.each([401, 403])(
  "a %d is not tried again, and its message shows neither key nor question",
  async (status) => {
    const echo = json(status, { error: { message: `bad key ${KEY} for ${REQUEST.user}` } });
    const { model, received } = await open([echo]);
    const reply = await model.complete(REQUEST, SIGNAL);
    expect(reply).toMatchObject({ kind: "failed", failure: "refused_request" });
    expect(JSON.stringify(reply)).not.toMatch(/test-key|blue/u);
    expect(received).toHaveLength(1);
  },
);

const HANGS: Answer = () => undefined;
const HANGS_IN_ITS_BODY: Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.write('{"choices": [');
};

test.each([
  ["never answers", HANGS],
  ["stops in the middle of its body", HANGS_IN_ITS_BODY],
])("a connection that %s ends by the time limit", async (_name, answer) => {
  const { model } = await open([answer], { timeoutMs: 100 });
  expect(await model.complete(REQUEST, SIGNAL)).toMatchObject({ failure: "timeout" });
});

test("a connection that breaks counts as unreachable, and so does a server that is not there", async () => {
  const broken = await open([(response) => response.destroy()]);
  expect(await broken.model.complete(REQUEST, SIGNAL)).toMatchObject({ failure: "unreachable" });
  const absent = await open([], { endpoint: "http://127.0.0.1:9/v1" });
  expect(await absent.model.complete(REQUEST, SIGNAL)).toMatchObject({ failure: "unreachable" });
});

test("an abort stops a question that hangs", async () => {
  const { model } = await open([HANGS]);
  const controller = new AbortController();
  const asked = model.complete(REQUEST, controller.signal);
  controller.abort(new Error("stopped"));
  await expect(asked).rejects.toThrow("stopped");
});

test("a redirect is not followed: the memories would go to a server that nobody configured", async () => {
  const other = await startServer(completion("{}"));
  const { model } = await open([
    (response) => {
      response.writeHead(307, { location: `${other.endpoint}/chat/completions` });
      response.end();
    },
  ]);
  expect(await model.complete(REQUEST, SIGNAL)).toMatchObject({ kind: "failed" });
  expect(other.received).toEqual([]);
});

test.each<[string, Answer, string]>([
  ["cut off", completion("{}", { finish_reason: "length" }), "truncated"],
  ["without an end", completion("{}", { finish_reason: null }), "truncated"],
  ["a refusal", completion(null, {}, { refusal: "I cannot." }), "refusal"],
  ["filtered", completion("{}", { finish_reason: "content_filter" }), "refusal"],
  ["empty", completion("  \n"), "empty"],
  ["null", completion(null), "empty"],
  ["an error in a 200", json(200, { error: { message: "overloaded" } }), "bad_response"],
  ["without choices", json(200, { choices: [] }), "bad_response"],
  ["of wrong types", json(200, { choices: [{ message: { content: 7 } }] }), "bad_response"],
])("a reply that is %s is none, and is not kept", async (_name, answer, failure) => {
  const { model, received } = await open([answer, completion("{}")]);
  expect(await model.complete(REQUEST, SIGNAL)).toMatchObject({ kind: "failed", failure });
  expect(received).toHaveLength(1);
  expect(await model.complete(REQUEST, SIGNAL)).toMatchObject({ kind: "reply" });
});

const body =
  (headers: Record<string, string>, ...chunks: readonly (string | Buffer)[]): Answer =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", ...headers });
    for (const chunk of chunks) response.write(chunk);
    response.end();
  };
const COMPLETION = JSON.stringify({
  choices: [{ finish_reason: "stop", message: { role: "assistant", content: "{}" } }],
});

test.each<[string, Answer, string]>([
  ["HTML", body({ "content-type": "text/html" }, "<p>Hi</p>"), "bad_response"],
  [
    "a right answer called plain text",
    body({ "content-type": "text/plain" }, COMPLETION),
    "bad_response",
  ],
  ["broken JSON", body({}, '{"cho'), "bad_response"],
  ["nothing at all", body({}), "bad_response"],
  ["no content", (response) => void response.writeHead(204).end(), "bad_response"],
  ["two answers in one", body({}, COMPLETION, COMPLETION), "bad_response"],
  ["a list", body({}, "[]"), "bad_response"],
  [
    "events",
    body({ "content-type": "text/event-stream" }, `data: ${COMPLETION}\n\n`),
    "bad_response",
  ],
  ["bytes that are no text", body({}, Buffer.from([0xff, 0xfe, 0x00, 0x80])), "bad_response"],
  ["zip that is none", body({ "content-encoding": "gzip" }, "not zipped"), "unreachable"],
  [
    "more than any answer is",
    body({}, ...Array.from({ length: 60 }, () => " ".repeat(100_000))),
    "bad_response",
  ],
  [
    "half of what it announced",
    (response) => {
      response.writeHead(200, { "content-type": "application/json", "content-length": "5000" });
      response.write(COMPLETION, () => response.destroy());
    },
    "unreachable",
  ],
  [
    "a part, then a broken connection",
    (response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.write('{"choices": [', () => response.destroy());
    },
    "unreachable",
  ],
  ["an unknown status", json(599, {}), "server_error"],
  ["a conflict", json(409, {}), "server_error"],
  ["a demand for payment", json(402, {}), "refused_request"],
])("a reply of %s is none", async (_name, answer, failure) => {
  const { model } = await open([answer]);
  expect(await model.complete(REQUEST, SIGNAL)).toMatchObject({ kind: "failed", failure });
});

test("the same question costs nothing the second time, also in another run", async () => {
  const { model, options, received } = await open([completion('{"a": 1}')]);
  const first = await model.complete(REQUEST, SIGNAL);
  expect(await createOpenAiModel(options).complete(REQUEST, SIGNAL)).toEqual(first);
  expect(received).toHaveLength(1);
  await createOpenAiModel({ ...options, model: "large" }).complete(REQUEST, SIGNAL);
  expect(received).toHaveLength(2);
});

test.each([
  ["calls a run", { callsPerRun: 1 }, false],
  ["tokens a run", { tokensPerRun: 160 }, false],
  ["calls a day", { callsPerDay: 1 }, true],
  ["tokens a day", { tokensPerDay: 160 }, true],
])(
  "the ceiling of %s stops the second question before it is asked",
  async (name, ceiling, isOfDay) => {
    const { options, received } = await open([completion("{}")]);
    const ceilings = { ...options.ceilings, ...ceiling };
    const model = createOpenAiModel({ ...options, ceilings });
    expect(await model.complete(ask(1), SIGNAL)).toMatchObject({ kind: "reply" });
    const second = await model.complete(ask(2), SIGNAL);
    expect(second).toMatchObject({ failure: "ceiling", message: expect.stringContaining(name) });
    const nextRun = await createOpenAiModel({ ...options, ceilings }).complete(ask(3), SIGNAL);
    expect(nextRun.kind).toBe(isOfDay ? "failed" : "reply");
    expect(received).toHaveLength(isOfDay ? 1 : 2);
    const tomorrow = { ...options.system, wallNow: () => NOW + 86_400_000 };
    const later = createOpenAiModel({ ...options, ceilings, system: tomorrow });
    expect(await later.complete(ask(4), SIGNAL)).toMatchObject({ kind: "reply" });
  },
);

test("every call is told, and neither notes nor files hold the key", async () => {
  const { model, notes, options } = await open([completion("{}")]);
  await model.complete(ask(1), SIGNAL);
  await model.complete(ask(2), SIGNAL);
  expect(notes).toEqual([
    "language model: call 1 to custom-openai-compatible/small",
    "language model: call 2 to custom-openai-compatible/small",
  ]);
  const files = await readdir(options.cacheFolder, { recursive: true, withFileTypes: true });
  for (const file of files.filter((entry) => entry.isFile())) {
    expect(await readFile(path.join(file.parentPath, file.name), "utf8")).not.toContain(KEY);
  }
});
