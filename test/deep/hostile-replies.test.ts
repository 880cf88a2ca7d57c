import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type Answer, completion, json, startServer } from "../adapters/openai/scripted-server.ts";
import { FIRST, GOOD, HOSTILE, ODD_BUT_RIGHT, SECOND } from "../agents/merge/hostile-replies.ts";
import { runInProcess } from "../run-in-process.ts";

const OTHER = "Maria prefers green tea.";

/** The command line over a store on disk, with a model that a local server stands for. */
async function openCli(answer: Answer) {
  const home = await mkdtemp(path.join(tmpdir(), "slowwave-hostile-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { endpoint, received } = await startServer(answer);
  const config = path.join(home, "config.json");
  await writeFile(config, JSON.stringify({ llm: { timeoutSeconds: 1 } }));
  // One clock for all: the scores shown follow it.
  const fixed = ["--config", config, "--as-of", "2026-03-02T09:00:00Z"];
  const run = async (...argv: readonly string[]) => {
    return await runInProcess(
      { home, env: { LLM_PROVIDER: "custom-openai-compatible", LLM_ENDPOINT: endpoint } },
      [...argv, ...fixed],
    );
  };
  return { run, received };
}

/** What the store holds after a night with this answer: texts that live, and what else changed. */
async function nightWith(answer: Answer) {
  const { run, received } = await openCli(answer);
  for (const text of [FIRST, SECOND, OTHER]) await run("remember", text);
  const everything = async () => JSON.parse((await run("list", "--all", "--json")).stdout).memories;
  const before = await everything();
  const { code } = await run("run", "--json");
  const after = await everything();
  const { issues } = JSON.parse((await run("issues", "list", "--json")).stdout);
  return { before, after, code, issues, received };
}

test.each(HOSTILE)(
  "a reply with %s leaves every memory as it was",
  async (_name, reply) => {
    const { before, after, code, issues } = await nightWith(completion(reply));
    expect([code, after]).toEqual([0, before]);
    expect(issues).toMatchObject([{ status: "open", comments: [{ author: "agent:merge" }] }]);
  },
  60_000,
);

test.each<[string, Answer]>([
  ["a refusal", completion(null, {}, { refusal: "I cannot." })],
  ["a text cut short", completion(GOOD, { finish_reason: "length" })],
  ["a filter", completion(GOOD, { finish_reason: "content_filter" })],
  ["an error in a 200", json(200, { error: { message: GOOD } })],
  ["the answer inside an error", json(500, { choices: [{ message: { content: GOOD } }] })],
  ["a busy server", json(429, { error: {} }, { "retry-after": "3600" })],
  ["a wrong key", json(401, { error: {} })],
  ["a server that hangs", () => undefined],
  ["a broken connection", (response) => void response.destroy()],
])(
  "%s leaves every memory as it was",
  async (_name, answer) => {
    const { before, after, code, issues } = await nightWith(answer);
    expect([code, after]).toEqual([0, before]);
    expect(issues).toMatchObject([{ status: "open", comments: [{ author: "agent:merge" }] }]);
  },
  60_000,
);

test.each(ODD_BUT_RIGHT)(
  "a right reply in %s merges the two and nothing else",
  async (_name, reply) => {
    const { after } = await nightWith(completion(reply));
    const live = after.filter(({ status }: { status: string }) => status !== "archived");
    expect(live.map(({ content }: { content: string }) => content).sort()).toEqual(
      [OTHER, `${FIRST}\n${SECOND}`].sort(),
    );
    expect(after).toHaveLength(4);
  },
  60_000,
);
