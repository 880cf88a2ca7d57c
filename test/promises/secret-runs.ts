import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished } from "vitest";
import { completion, startServer } from "../adapters/openai/scripted-server.ts";
import { KNOWN_SECRETS, NAMED_SECRETS } from "../known-secrets.ts";
import { runInProcess } from "../run-in-process.ts";

interface NamedSecret {
  readonly text: string;
  readonly value: string;
}

export const SECRETS: readonly NamedSecret[] = [
  ...KNOWN_SECRETS.map(([, value]) => ({ text: value, value })),
  ...NAMED_SECRETS.map(([text, value]) => ({ text, value })),
];

/** A policy by which every step of every agent waits for a person. */
export const REVIEW_ALL = {
  policy: Object.fromEntries(
    ["decay", "cluster", "merge", "promote", "relations"].map((agent) => [agent, "review"]),
  ),
};

/** Two nights over memories around each secret, with a vault and a model; fails where anything but the store shows one. */
export async function expectNoLeak(secrets: readonly NamedSecret[], settings: object) {
  const { home, run, received } = await openCli(settings);
  const file = path.join(home, "memories.jsonl");
  const lines = secrets.flatMap(({ text }, at) => linesAbout(text, at));
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  await run("init");
  await run("import", file, "--from", "cortexgraph");
  const progress = [
    await run("run", "--as-of", "2026-03-02T09:00:00Z"),
    await run("run", "--as-of", "2026-03-03T09:00:00Z"),
  ].map(({ stderr }) => stderr);
  const issues = (await run("issues", "list", "--json")).stdout;
  const exported = (await run("issues", "export")).stdout;
  expect(JSON.parse(issues).issues.length).toBeGreaterThan(secrets.length);
  const notes = await notesIn(path.join(home, "vault"));
  const asked = received.map(({ body }) => body);
  const told = JSON.stringify({ progress, issues, exported, notes, asked });
  const shown = secrets.map(({ value }) => JSON.stringify(value).slice(1, -1).slice(0, 24));
  expect(shown.filter((value) => told.includes(value))).toEqual([]);
}

/** Each agent has something to do with them. */
function linesAbout(text: string, at: number): readonly object[] {
  const said = `Priya's job ${WORDS[at % WORDS.length]} number ${at} deploys with ${text} each night.`;
  const old = { created_at: 1_700_000_000, last_used: 1_700_000_000, use_count: 0 };
  const kept = { created_at: 1_770_000_000, last_used: 1_772_400_000, use_count: 9 };
  return [
    { id: `fading-${at}`, content: said, ...old },
    { id: `copy-${at}`, content: said, ...old },
    { id: `used-${at}`, content: `${said} It runs at 9:30.`, entities: [text], ...kept },
    { id: `clash-${at}`, content: `${said} It runs at 8:15.`, entities: [text], ...kept },
  ];
}

const WORDS = "Harbor Lantern Quartz Meadow Falcon Ember Tundra Cobalt Orchid Pumice".split(" ");

async function openCli(settings: object) {
  const home = await mkdtemp(path.join(tmpdir(), "slowwave-secrets-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const { endpoint, received } = await startServer(completion("{}"));
  const config = path.join(home, "config.json");
  await writeFile(config, JSON.stringify({ settings }));
  const where = ["--config", config, "--vault", path.join(home, "vault")];
  const run = async (...argv: readonly string[]) => {
    const done = await runInProcess(
      { home, env: { LLM_PROVIDER: "custom-openai-compatible", LLM_ENDPOINT: endpoint } },
      [...argv, ...where],
    );
    expect([argv[0], done.code]).toEqual([argv[0], 0]);
    return done;
  };
  return { home, run, received };
}

async function notesIn(vault: string): Promise<readonly string[]> {
  const entries = await readdir(vault, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return await Promise.all(
    files.map(async (entry) => {
      const text = await readFile(path.join(entry.parentPath, entry.name), "utf8");
      return `${entry.name}\n${text}`;
    }),
  );
}
