import { mkdir, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createHome, spawnCli } from "./spawn-cli.ts";

test.each([
  [["run", "--interval-hours", "abc"], '--interval-hours: expected a number, 0 or more, got "abc"'],
  [["run", "--agent", "decya"], "Did you mean decay?"],
  [["run", "--dryrun"], "Did you mean --dry-run?"],
  [["import", "x", "--from", "jsnol"], "Did you mean jsonl?"],
  [["rnu"], "Did you mean run?"],
])("%j ends with 2 and says what was meant, and makes nothing", async (argv, message) => {
  const home = await createHome();
  const { code, stdout, stderr } = await spawnCli({ home }, ...argv);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toContain(message);
  expect(stderr).not.toContain("    at ");
  expect(await readdir(home)).toEqual([]);
});

test("an unknown configuration key ends with 2 and names it, also in JSON", async () => {
  const home = await createHome();
  await writeFile(path.join(home, "config.yaml"), "settings:\n  decay:\n    halfLivesDays: 3\n");
  const { code, json, stderr } = await spawnCli({ home }, "stats", "--json");
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(json()).toMatchObject({
    version: 1,
    error: {
      code: "config",
      message: expect.stringContaining("did you mean settings.decay.halfLifeDays?"),
    },
  });
});

test("a store path that is a file ends with 2 and leaves the file alone", async () => {
  const home = await createHome();
  await writeFile(path.join(home, "store"), "mine");
  const { code, stderr } = await spawnCli({ home }, "remember", "x");
  expect(code).toBe(2);
  expect(stderr).toContain(`expected a folder, ${path.join(home, "store")} is a file`);
});

test("a vault inside the store ends with 2 and names both", async () => {
  const home = await createHome();
  const vault = path.join(home, "store", "vault");
  const { code, stderr } = await spawnCli({ home }, "run", "--vault", vault);
  expect(code).toBe(2);
  expect(stderr).toContain(`${vault} is inside the store ${path.join(home, "store")}`);
});

test("a store that is not there is not made by reading or running, and the way to make one is told", async () => {
  const home = await createHome();
  for (const argv of [["list"], ["run"], ["run", "--dry-run"], ["recall", "x"], ["stats"]]) {
    const { code, stderr } = await spawnCli({ home }, ...argv);
    expect({ argv, code }).toEqual({ argv, code: 1 });
    expect(stderr).toContain("slowwave init");
  }
  expect(await readdir(home)).toEqual([]);
});

test("ids with quotes find their memory alone, or nothing", async () => {
  const home = await createHome();
  const ids = ["it's", 'say "hi"', "x' OR '1'='1", "a\\b%_ключ"];
  const lines = ids.map((id) => JSON.stringify({ id, content: `content of ${id}` }));
  const imported = await spawnCli({ home, stdin: lines.join("\n") }, "import", "-", "--json");
  expect(imported.json()).toMatchObject({ added: ids.length });
  for (const id of ids) {
    const { json } = await spawnCli({ home }, "show", id, "--json");
    expect(json()).toMatchObject({ memory: { id, content: `content of ${id}` } });
  }
  const { code, stderr } = await spawnCli({ home }, "forget", "y' OR '1'='1");
  expect(code).toBe(1);
  expect(stderr).toContain("there is none");
  const { json } = await spawnCli({ home }, "list", "--json");
  expect(json()).toMatchObject({ total: ids.length });
});

test("remember of what is no text ends with 2 and stores nothing", async () => {
  const home = await createHome();
  await spawnCli({ home }, "init");
  for (const [stdin, message] of [
    ["   \n\t ", "only white space"],
    ["", "only white space"],
    ["a\0b", "NUL character"],
    [new Uint8Array([0x66, 0xff, 0xfe]), "UTF-8"],
  ] as const) {
    const { code, stderr } = await spawnCli({ home, stdin }, "remember", "-");
    expect({ stdin, code }).toEqual({ stdin, code: 2 });
    expect(stderr).toContain(message);
  }
  expect((await spawnCli({ home }, "list", "--all", "--json")).json()).toMatchObject({ total: 0 });
});

test("emoji, right-to-left text and quotes come back as they went in", async () => {
  const home = await createHome();
  const text = `🫖👩‍👩‍👧 "tea" 'שלום' \\ ${"é"} 你好`;
  const { json } = await spawnCli({ home }, "remember", text, "--json");
  expect(json()).toMatchObject({ outcome: "added", memory: { content: text } });
  const listed = await spawnCli({ home }, "list", "--json");
  expect(listed.json()).toMatchObject({ memories: [{ content: text }] });
  const found = await spawnCli({ home }, "recall", "tea", "--json");
  expect(found.json()).toMatchObject({ hits: [{ content: text }] });
});

test("a text of a megabyte is stored whole and recognised when told again", async () => {
  const home = await createHome();
  const stdin = `${"The kettle number 7 is blue. ".repeat(36_000)}end`;
  const first = await spawnCli({ home, stdin }, "remember", "-", "--json");
  expect(first.json()).toMatchObject({ outcome: "added", memory: { content: stdin } });
  const again = await spawnCli({ home, stdin }, "remember", "-", "--json");
  expect(again.json()).toMatchObject({ outcome: "reinforced" });
});

test("a vault that is not there is no failure of a run", async () => {
  const home = await createHome();
  await spawnCli({ home }, "remember", "The kettle is blue.");
  const { code } = await spawnCli({ home }, "run", "--vault", path.join(home, "nowhere"));
  expect(code).toBe(0);
  expect(await readdir(home)).not.toContain("nowhere");
});

test("a folder with other files is refused as a store", async () => {
  const home = await createHome();
  await mkdir(path.join(home, "store"));
  await writeFile(path.join(home, "store", "diary.txt"), "mine");
  const { code, stderr } = await spawnCli({ home }, "remember", "x");
  expect(code).toBe(1);
  expect(stderr).toContain("diary.txt");
});
