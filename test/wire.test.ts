import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { completion, startServer } from "./adapters/openai/scripted-server.ts";
import { runInProcess } from "./run-in-process.ts";

const PRINTERS = [
  "The office printer is out of toner again.",
  "The office printer has run out of toner.",
];
const MERGE = JSON.stringify({
  decision: "merge",
  handles: ["M1", "M2"],
  content: PRINTERS.join("\n"),
});
const KEY = "test-key-that-nobody-may-see";

/** The real parts, in this process, with a model that a local server stands for. */
async function openCli(reply: string) {
  const home = await mkdtemp(path.join(tmpdir(), "slowwave-wire-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { endpoint, received } = await startServer(completion(reply));
  const written: string[] = [];
  const run = async (...argv: readonly string[]) => {
    const done = await runInProcess(
      {
        home,
        env: { LLM_PROVIDER: "custom-openai-compatible", LLM_ENDPOINT: endpoint, LLM_API_KEY: KEY },
      },
      argv,
    );
    written.push(done.stdout, done.stderr);
    return done;
  };
  for (const text of PRINTERS) await run("remember", text);
  return { home, run, received, written };
}

test("a dry run asks the model, and the live run does what it showed without asking again", async () => {
  const { run, received, written } = await openCli(MERGE);
  const dry = await run("run", "--dry-run", "--json");
  expect(dry.stderr).toContain("language model: call 1 to custom-openai-compatible/");
  expect(received).toHaveLength(1);
  const live = await run("run", "--json");
  expect(received).toHaveLength(1);
  const merges = [dry, live].map(({ stdout }) => JSON.parse(stdout).agents.merge.results);
  expect(merges[0]).toHaveLength(1);
  expect(merges[1]).toEqual(merges[0]);
  await run("run");
  expect(received).toHaveLength(1);
  await run("config");
  expect(written.join("")).not.toContain(KEY);
});

test("--no-llm asks no model, and leaves the group to a person", async () => {
  const { run, received } = await openCli(MERGE);
  const { stdout } = await run("run", "--no-llm", "--json");
  expect(JSON.parse(stdout).agents.merge.results).toEqual([]);
  expect(received).toEqual([]);
});

test("a dry run with a model leaves the store as it was, and writes to the cache alone", async () => {
  const { home, run } = await openCli(MERGE);
  const before = (await run("export", "-")).stdout;
  await run("run", "--dry-run");
  expect((await run("export", "-")).stdout).toBe(before);
  const today = new Date().toISOString().slice(0, 10);
  const ledger = await readFile(path.join(home, "cache", "llm", `spend-${today}.txt`), "utf8");
  expect(ledger).toBe("calls 1\ntokens 42\n");
});

test("a dry run says what it asked, the run after it that nothing was asked, and runs show which reply made what", async () => {
  const { run } = await openCli(MERGE);
  const name = "custom-openai-compatible/gpt-4o-mini";
  const dry = await run("run", "--dry-run");
  expect(dry.stdout).toContain(`language model ${name}: 1 call, 42 tokens`);
  const live = await run("run", "--json");
  const document = JSON.parse(live.stdout);
  expect(document.languageModel).toEqual({ model: name, calls: 0, cached: 1, tokens: 0 });
  const shown = await run("runs", "show", document.run.id);
  expect(shown.stdout).toContain(
    "language model custom-openai-compatible/gpt-4o-mini: 0 calls, 1 reply",
  );
  expect(shown.stdout).toMatch(/ {2}reply [0-9a-f]{12} of .*gpt-4o-mini, 30 tokens in, 12 out/u);
  const { steps } = JSON.parse((await run("runs", "show", document.run.id, "--json")).stdout);
  expect(steps.filter((step: object) => "replies" in step)).toMatchObject([
    { agent: "merge", replies: [{ model: name, promptTokens: 30, completionTokens: 12 }] },
  ]);
});

test("a plan records the reply that made a change, and applying it asks nobody", async () => {
  const { home, run, received } = await openCli(MERGE);
  const file = path.join(home, "plan.json");
  await run("plan", "--out", file);
  const text = await readFile(file, "utf8");
  const merges = JSON.parse(text).proposals.filter((one: object) => "replies" in one);
  expect(merges).toMatchObject([{ agent: "merge", replies: [{ promptTokens: 30 }] }]);
  // Made again from the replies that are kept, it is the same to the byte.
  const again = path.join(home, "again.json");
  const moment = JSON.parse(text).asOf;
  await run("plan", "--out", again, "--as-of", new Date(moment).toISOString());
  expect(await readFile(again, "utf8")).toBe(text);
  await rm(path.join(home, "cache"), { recursive: true });
  const applied = await run("apply", file, "--json");
  expect([applied.code, JSON.parse(applied.stdout).refused]).toEqual([0, []]);
  expect(received).toHaveLength(1);
  expect(JSON.parse((await run("list", "--json")).stdout).total).toBe(1);
});
