import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { createHome, spawnCli } from "./spawn-cli.ts";

async function readTree(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const texts = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = path.join(parentPath, name);
      return [path.relative(folder, file), await readFile(file, "utf8")] as const;
    }),
  );
  return Object.fromEntries(texts.sort());
}

test("the demo shows one example of each kind, and twice the same: report and notes", async () => {
  const home = await createHome();
  const play = async (name: string) => {
    const { code, stdout } = await spawnCli({ home }, "demo", "--dir", name, "--quiet");
    expect(code).toBe(0);
    return stdout.replaceAll(path.join(home, name), "<folder>");
  };
  const report = await play("first");
  for (const part of [
    "imported   166 memories and 6 relations",
    "The live run did what the dry run had shown, step for step.",
    "A merge: every fact of its sources is in it",
    "A refused merge: alike, and contradicting each other",
    "A promotion: proved by use, now a note",
    "A relation: they speak of the same things",
    "An archived memory: nobody will miss it",
    "Open <folder>/vault in Obsidian.",
  ]) {
    expect(report).toContain(part);
  }
  expect(await play("second")).toBe(report);
  const notes = await readTree(path.join(home, "first", "vault"));
  expect(Object.keys(notes).length).toBeGreaterThan(20);
  expect(await readTree(path.join(home, "second", "vault"))).toEqual(notes);
  // `npm run vault` makes the sample vault anew.
  expect(await readTree(path.resolve(import.meta.dirname, "../../vault"))).toEqual(notes);
});

test("the demo leaves a folder with files alone, and takes no --store", async () => {
  const home = await createHome();
  const used = await spawnCli({ home }, "demo", "--dir", path.dirname(home));
  expect(used).toMatchObject({ code: 2, stdout: "" });
  expect(used.stderr).toContain("expected a new or empty folder");
  const store = await spawnCli({ home }, "demo", "--store", "x");
  expect(store.code).toBe(2);
  expect(store.stderr).toContain("--dir");
});
