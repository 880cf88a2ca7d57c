import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { aMemory, aRelation } from "../../builders.ts";
import { fill } from "../../scheduler/run-deps.ts";
import { createTestCli } from "../run-cli.ts";

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), "slowwave-cli-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("import takes in a file, tells the counts, and changes nothing the second time", async () => {
  const folder = await temporaryFolder();
  const file = path.join(folder, "memories.jsonl");
  const lines = [{ content: "Ada met Mira Okafor." }, { content: "The kettle is blue." }];
  await writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  const cli = createTestCli();
  const first = await cli.runWith({ cwd: folder }, "import", "memories.jsonl", "--json");
  expect(first.code).toBe(0);
  expect(first.json()).toMatchObject({
    ...{ version: 1, read: 2, added: 2, updated: 0, unchanged: 0, quarantined: 0, atRisk: 0 },
  });
  const second = await cli.run("import", file);
  expect(second.stdout).toContain("0 added, 0 updated, 2 unchanged");
  const memories = await cli.store.read("memory");
  expect(memories.flatMap(({ entities }) => entities)).toContain("Mira Okafor");
});

test("import of a file with bad lines takes in the rest, sets them aside, and exits with 1", async () => {
  const folder = await temporaryFolder();
  const cli = createTestCli();
  const stdin = '{"content":"The kettle is blue."}\nnot json\n{"content":"  "}\n';
  const store = path.join(folder, "store");
  const result = await cli.runWith({ stdin }, "import", "-", "--store", store, "--json");
  expect(result.code).toBe(1);
  const { quarantinePath, ...counts } = result.json();
  expect(counts).toMatchObject({ read: 3, added: 1, quarantined: 2 });
  const aside = await readFile(String(quarantinePath), "utf8");
  expect(aside.trim().split("\n")).toHaveLength(2);
  expect(String(quarantinePath).startsWith(store)).toBe(true);
});

test("import tells how many active memories arrived nearly forgotten", async () => {
  const cli = createTestCli();
  const stdin = '{"content":"An old one.","createdAt":"2024-01-01"}\n{"content":"A new one."}\n';
  const result = await cli.runWith({ stdin }, "import", "-", "--json");
  expect(result.json()).toMatchObject({ added: 2, atRisk: 1 });
});

test("import refuses an unknown format with a suggestion, and a path that is not there", async () => {
  const cli = createTestCli();
  const format = await cli.run("import", "x.jsonl", "--from", "jsnol");
  expect(format).toMatchObject({ code: 2, stdout: "" });
  expect(format.stderr).toContain(
    '--from: expected cortexgraph, mcp, jsonl, markdown, got "jsnol"',
  );
  expect(format.stderr).toContain("Did you mean jsonl?");
  const missing = await cli.run("import", "/nonexistent/x.jsonl");
  expect(missing.code).toBe(2);
  expect(missing.stderr).toContain("/nonexistent/x.jsonl");
});

test("export writes lines to stdout that import takes back unchanged", async () => {
  const cli = createTestCli();
  await fill(cli.store, [
    aMemory({ id: "m1", entities: ["Maria"] }),
    aMemory({ id: "m2", content: "émoji 🫖" }),
  ]);
  await cli.store.commit([{ record: "relation", before: null, after: aRelation() }]);
  const exported = await cli.run("export");
  expect(exported).toMatchObject({ code: 0, stderr: "wrote 2 memories, 1 relations\n" });
  const other = createTestCli();
  const back = await other.runWith({ stdin: exported.stdout }, "import", "-", "--json");
  expect(back.json()).toMatchObject({ added: 2, relations: { added: 1 } });
  expect((await other.run("export")).stdout).toBe(exported.stdout);
});

test("export --json prints one document, and --out writes a file", async () => {
  const folder = await temporaryFolder();
  const cli = createTestCli();
  await fill(cli.store, [aMemory()]);
  const document = (await cli.run("export", "--format", "jsonl", "--json")).json();
  expect(document).toMatchObject({ version: 1, memories: 1, records: [{ id: "m1" }] });
  const written = await cli.runWith({ cwd: folder }, "export", "--out", "all.jsonl", "--json");
  expect(written.json()).toMatchObject({ memories: 1, path: path.join(folder, "all.jsonl") });
  expect(await readFile(path.join(folder, "all.jsonl"), "utf8")).toContain('"m1"');
});

test("export refuses an unknown format with a suggestion", async () => {
  const { code, stderr } = await createTestCli().run("export", "--format", "jsonn");
  expect(code).toBe(2);
  expect(stderr).toContain("Did you mean jsonl?");
});
