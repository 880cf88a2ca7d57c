import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../src/config/load-config.ts";
import { openJudge } from "../src/wire.ts";
import {
  type Answer,
  json,
  type Received,
  startServer,
} from "./adapters/openai/scripted-server.ts";
import { runInProcess } from "./run-in-process.ts";

const KEY = "test-key-that-nobody-may-see";
const TEXTS = [
  "The office printer is out of toner again.",
  "The office printer has run out of toner.",
  "Deploys on Fridays need a second pair of eyes.",
];

function inputOf({ body }: Received): readonly string[] {
  return Array.isArray(body.input) ? body.input : [];
}

/** Vectors of word counts: alike where words are. */
const embed: Answer = (response, received) => {
  const data = inputOf(received).map((text, index) => {
    const embedding = new Array<number>(16).fill(0);
    for (const word of text.toLowerCase().match(/[a-z]+/gu) ?? []) {
      const place = [...word].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 16;
      embedding[place] = (embedding[place] ?? 0) + 1;
    }
    return { index, embedding };
  });
  json(200, { data })(response, received);
};

/** The real parts, in this process, with embeddings of a local server when the environment says so. */
async function openCli(answer: Answer = embed) {
  const home = await mkdtemp(path.join(tmpdir(), "slowwave-embeddings-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { endpoint, received } = await startServer(answer);
  const server = {
    SLOWWAVE_EMBEDDINGS_PROVIDER: "custom-openai-compatible",
    SLOWWAVE_EMBEDDINGS_ENDPOINT: endpoint,
    SLOWWAVE_EMBEDDINGS_MODEL: "tiny",
    SLOWWAVE_EMBEDDINGS_DIMENSIONS: "16",
    SLOWWAVE_EMBEDDINGS_API_KEY: KEY,
  };
  const written: string[] = [];
  const run = async (env: Readonly<Record<string, string>>, ...argv: readonly string[]) => {
    const done = await runInProcess({ home, env }, argv);
    written.push(done.stdout, done.stderr);
    return done;
  };
  return { run, server, received, written };
}

test("the models that run on the machine have profiles that ship with slowwave, and others the cautious one", async () => {
  const fitted = async (env: Readonly<Record<string, string>>) => {
    const config = await loadConfig({ env: { HOME: "/nonexistent", ...env } });
    const { embedder, profile } = await openJudge(config);
    expect(profile.embedder).toBe(embedder.id);
    return profile.fitted;
  };
  expect(await fitted({})).toBe(true);
  expect(await fitted({ SLOWWAVE_EMBEDDINGS_PROVIDER: "local" })).toBe(true);
  expect(await fitted({ SLOWWAVE_EMBEDDINGS_PROVIDER: "openai" })).toBe(false);
});

test("a configured server makes the vectors, and a dry run and the run after it ask for no text twice", async () => {
  const { run, server, received, written } = await openCli();
  for (const text of TEXTS) expect((await run(server, "remember", text)).code).toBe(0);
  const dry = await run(server, "run", "--dry-run", "--json");
  expect(dry.code).toBe(0);
  const live = await run(server, "run", "--json");
  expect(live.code).toBe(0);
  await run(server, "recall", "toner");
  const asked = received.flatMap(inputOf);
  expect(asked).toHaveLength(new Set(asked).size);
  expect(asked).toEqual(expect.arrayContaining([...TEXTS, "toner"]));
  expect((await run(server, "compare", ...TEXTS.slice(0, 2))).stdout).toMatch(/^similarity/mu);
  await run(server, "config");
  await run(server, "doctor");
  expect(written.join("")).not.toContain(KEY);
});

test("a store of another model is not compared with: the error names both, and reembed mends it", async () => {
  const { run, server } = await openCli();
  for (const text of TEXTS) await run({}, "remember", text);
  for (const command of [["run"], ["run", "--dry-run"], ["plan"], ["recall", "toner"]]) {
    const refused = await run(server, ...command);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /3 memories have vectors of static-wordnet-256@\S+, and custom-openai-compatible:tiny@16 is configured.*`slowwave reembed`/su,
      ),
    ]);
  }
  expect((await run(server, "doctor")).stdout).toContain("`slowwave reembed`");
  const dry = JSON.parse((await run(server, "reembed", "--dry-run", "--json")).stdout);
  expect(dry).toMatchObject({ version: 1, stale: 3, reembedded: 0, left: 3 });
  expect((await run(server, "recall", "toner")).code).toBe(2);
  const done = await run(server, "reembed", "--json");
  expect(done.code).toBe(0);
  expect(JSON.parse(done.stdout)).toMatchObject({
    embedder: "custom-openai-compatible:tiny@16",
    reembedded: 3,
    left: 0,
  });
  expect((await run(server, "recall", "toner")).stdout).toContain("toner");
  expect((await run(server, "run")).code).toBe(0);
  expect((await run(server, "reembed")).stdout).toContain("all memories have vectors of");
  expect((await run({}, "recall", "toner")).code).toBe(2);
});

test("reembed that fails keeps what it did, says why, and goes on from there", async () => {
  const answers: Answer[] = [];
  const { run, server, received } = await openCli((response, asked) =>
    (answers.shift() ?? embed)(response, asked),
  );
  for (const text of TEXTS) await run({}, "remember", text);
  const one = { ...server, SLOWWAVE_EMBEDDINGS_TEXTS_PER_CALL: "1" };
  answers.push(embed, json(401, { error: { message: KEY } }));
  const failed = await run(one, "reembed");
  expect(failed.code).toBe(1);
  expect(failed.stderr).toMatch(/the server answered 401/u);
  expect(failed.stderr).not.toContain(KEY);
  expect((await run(one, "reembed", "--json")).code).toBe(0);
  expect(received).toHaveLength(4);
});
