import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fingerprintOf } from "../../../src/model/issue.ts";
import { aMemory, anIssue } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

const HANDMADE = path.resolve(import.meta.dirname, "../../fixtures/handmade-pairs.jsonl");

interface Line {
  readonly a: string;
  readonly b: string;
  readonly label: string;
}

async function handmade(): Promise<readonly Line[]> {
  const lines = (await readFile(HANDMADE, "utf8")).trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** A command line with a home of its own, and files to be read there. */
async function openHome(files: Readonly<Record<string, readonly object[] | string>> = {}) {
  const home = await mkdtemp(path.join(tmpdir(), "slowwave-calibrate-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const text =
      typeof content === "string" ? content : content.map((it) => JSON.stringify(it)).join("\n");
    await writeFile(path.join(home, name), text);
  }
  const cli = createTestCli();
  const run = (...argv: readonly string[]) =>
    cli.runWith({ cwd: home, env: { SLOWWAVE_HOME: home } }, ...argv);
  return { home, run, store: cli.store };
}

test("calibrate shows how a run would err, now, fitted and cross-validated, and writes nothing", async () => {
  const { home, run } = await openHome();
  const result = await run("calibrate", "--labels", HANDMADE, "--json");
  expect(result.code).toBe(0);
  const rates = {
    falseMergeRate: expect.any(Number),
    missedRate: expect.any(Number),
    mergedRate: expect.any(Number),
    askedInVainRate: expect.any(Number),
  };
  expect(result.json()).toMatchObject({
    version: 1,
    embedder: expect.stringMatching(/^static-wordnet/u),
    counts: { duplicate: 60, contradiction: 60, related: 60, unrelated: 0 },
    before: { ...rates, falseMergeRate: 0 },
    inSample: rates,
    crossValidated: rates,
  });
  expect(await readdir(home)).toEqual([]);
});

test("calibrate --write keeps the profile, and pairs are judged by it from then on", async () => {
  const { run } = await openHome();
  // One of the labelled duplicates, and far apart for the profile that ships with slowwave.
  const verdict = async () => {
    const texts = [
      "The login bug was fixed by clearing stale cookies.",
      "Clearing old cookies resolved the sign-in issue.",
    ];
    return (await run("compare", ...texts, "--json")).json().verdict;
  };
  expect(await verdict()).toBe("unrelated");
  const { code, stdout } = await run("calibrate", "--labels", HANDMADE, "--write");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^misses of the duplicates +26\.7 % +5\.0 %/mu);
  const file = /Written to (.*);/u.exec(stdout)?.[1] ?? "";
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ version: 1, fitted: true });
  expect(await verdict()).toBe("duplicate");
});

test("a profile of another embedder is refused with both named, until calibrate replaces it", async () => {
  const { run } = await openHome({ "config.yaml": "similarityProfile: mine.json\n" });
  const compare = () => run("compare", "Tea is fine.", "Tea is good.");
  expect(await compare()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/mine\.json: no such/u),
  });
  const other = await openHome({
    "config.yaml": "similarityProfile: mine.json\n",
    "mine.json": JSON.stringify({
      version: 1,
      embedder: "openai:other@9",
      fitted: true,
      points: [
        [-1, -1],
        [1, 1],
      ],
      errors: [],
    }),
  });
  expect(await other.run("compare", "Tea is fine.", "Tea is good.")).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /fitted to openai:other@9, and static-wordnet-\S+ is configured/u,
    ),
  });
  const written = await other.run("calibrate", "--labels", HANDMADE, "--write");
  expect(written.stdout).toContain(`Written to ${path.join(other.home, "mine.json")}`);
  expect((await other.run("compare", "Tea is fine.", "Tea is good.")).code).toBe(0);
  const damaged = await openHome({
    "config.yaml": "similarityProfile: mine.json\n",
    "mine.json": "{",
  });
  expect((await damaged.run("compare", "a", "b")).stderr).toContain(
    "expected a similarity profile",
  );
});

test("calibrate refuses what it cannot learn from, and says what is missing", async () => {
  const pairs = await handmade();
  const of = (label: string) => pairs.filter((pair) => pair.label === label);
  const easy = of("related").map(({ a }, index, all) => ({
    a,
    b: `Zebra quartz ${index}`,
    label: all.length > 0 ? "unrelated" : "",
  }));
  const { run } = await openHome({
    "few.jsonl": [...of("paraphrase").slice(0, 29), ...of("related")],
    "one-sided.jsonl": of("paraphrase"),
    "easy.jsonl": [...of("paraphrase"), ...easy],
    "wrong.jsonl": '{"a": "x", "b": "y", "label": "same"}\n\nnot json\n{"a": "", "b": "y"}\n',
  });
  const refused = async (...argv: readonly string[]) => {
    const { code, stderr } = await run("calibrate", ...argv);
    expect(code).toBe(2);
    return stderr;
  };
  expect(await refused("--labels", "few.jsonl")).toMatch(
    /at least 30 duplicates .* got 29 and 60/u,
  );
  expect(await refused("--labels", "one-sided.jsonl")).toMatch(/got 60 and 0/u);
  expect(await refused("--labels", "easy.jsonl")).toMatch(/look as alike as the duplicates/u);
  expect(await refused("--labels", "wrong.jsonl")).toMatch(/not so on line 1, 3, 4/u);
  expect(await refused("--labels", "absent.jsonl")).toMatch(/absent\.jsonl: cannot be read/u);
  expect(await refused()).toMatch(/--labels <file>, --reviews, or both/u);
});

test("calibrate --reviews counts what people decided, and adds it to the labels of files", async () => {
  const related = (await handmade()).filter(({ label }) => label === "related").slice(0, 2);
  const { run, store } = await openHome({ "labels.jsonl": related });
  const members = ["a", "b"].map((id) => aMemory({ id, content: `Text of ${id}.` }));
  await fill(store, members);
  const finding = { agent: "cluster", namespace: "default", action: "llm_review", members };
  const { notes, ...issue } = anIssue({ labels: ["approved"], status: "closed" });
  const after = {
    ...issue,
    namespace: "default",
    notes: { ...notes, agent: "cluster", action: "llm_review", memoryIds: ["a", "b"] },
    fingerprint: fingerprintOf(finding),
  };
  await store.commit([{ record: "issue", before: null, after }]);
  expect((await run("calibrate", "--reviews")).stderr).toMatch(/got 1 and 0/u);
  const both = await run("calibrate", "--reviews", "--labels", "labels.jsonl");
  expect(both.stderr).toMatch(/got 1 and 2/u);
});
