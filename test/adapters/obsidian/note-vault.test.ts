import { execFileSync } from "node:child_process";
import {
  access,
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openNoteVault } from "../../../src/adapters/obsidian/note-vault.ts";
import { testNoteVault } from "../../contracts/note-vault.ts";

const isRoot = process.getuid?.() === 0;

async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "slowwave-vault-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

testNoteVault("files", async () => openNoteVault({ root: await temporaryFolder() }));

test("openNoteVault finds no folder: absent, nothing is made, and no note looks deleted", async () => {
  const root = path.join(await temporaryFolder(), "unmounted");
  const vault = openNoteVault({ root });
  expect(await vault.state()).toEqual({ kind: "absent", reason: `there is no folder ${root}` });
  const attempts = [
    () => vault.read("a.md"),
    () => vault.write("a.md", "x"),
    () => vault.removeIfUnchanged("a.md", "x"),
    () => vault.paths(),
  ];
  for (const attempt of attempts) {
    await expect(attempt()).rejects.toMatchObject({
      code: "vault",
      hint: expect.stringContaining("mount"),
    });
  }
  await expect(access(root)).rejects.toMatchObject({ code: "ENOENT" });
});

test("openNoteVault finds a file where a folder should be: unusable", async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, "vault"), "x");
  expect(await openNoteVault({ root: path.join(folder, "vault") }).state()).toMatchObject({
    kind: "unusable",
    reason: expect.stringContaining("is not a folder"),
  });
  expect(await openNoteVault({ root: path.join(folder, "vault", "below") }).state()).toMatchObject({
    kind: "unusable",
  });
});

test("state says empty for a folder with nothing in it, and not where Obsidian keeps its settings", async () => {
  const root = await temporaryFolder();
  const vault = openNoteVault({ root });
  expect(await vault.state()).toEqual({ kind: "ready", root, empty: true });
  await mkdir(path.join(root, ".obsidian"));
  expect(await vault.state()).toEqual({ kind: "ready", root, empty: false });
});

test("state and read leave no trace in the vault", async () => {
  const root = await temporaryFolder();
  const before = (await stat(root)).mtimeMs;
  const vault = openNoteVault({ root });
  await vault.state();
  await vault.read("a/b.md");
  expect((await stat(root)).mtimeMs).toBe(before);
});

test.skipIf(isRoot)(
  "a read-only vault is unusable with a reason, and a read-only folder in it refuses by name",
  async () => {
    const root = await temporaryFolder();
    await mkdir(path.join(root, "locked"));
    await chmod(path.join(root, "locked"), 0o555);
    const vault = openNoteVault({ root });
    await expect(vault.write("locked/a.md", "x")).rejects.toMatchObject({
      code: "vault",
      message: expect.stringMatching(/locked\/a\.md.*EACCES/),
    });
    await chmod(root, 0o555);
    onTestFinished(() => chmod(root, 0o755));
    expect(await vault.state()).toMatchObject({
      kind: "unusable",
      reason: expect.stringContaining("not writable"),
    });
  },
);

test("openNoteVault refuses a vault in the store, a store in the vault, and one folder for both, also through symlinks", async () => {
  const folder = await temporaryFolder();
  const inner = path.join(folder, "inner");
  await mkdir(inner);
  const link = path.join(await temporaryFolder(), "link");
  await symlink(inner, link);
  for (const [root, storePath] of [
    [folder, inner],
    [inner, folder],
    [folder, folder],
    [link, folder],
    [path.join(folder, "not", "yet"), folder],
  ] as const) {
    expect(() => openNoteVault({ root, storePath })).toThrow(
      expect.objectContaining({ code: "config", message: expect.stringContaining(folder) }),
    );
  }
  expect(() => openNoteVault({ root: inner, storePath: `${inner}-store` })).not.toThrow();
});

test("a symlink is refused, whether it leads out of the vault or not, and nothing is written there", async () => {
  const root = await temporaryFolder();
  const outside = await temporaryFolder();
  await symlink(outside, path.join(root, "out"));
  await writeFile(path.join(root, "real.md"), "x");
  await symlink("real.md", path.join(root, "link.md"));
  const vault = openNoteVault({ root });
  await expect(vault.write("out/a.md", "x")).rejects.toMatchObject({
    message: expect.stringContaining("out is a symlink"),
  });
  await expect(vault.read("link.md")).rejects.toMatchObject({
    message: expect.stringContaining("link.md is a symlink"),
  });
  await expect(vault.removeIfUnchanged("link.md", "x")).rejects.toMatchObject({ code: "vault" });
  expect(await readdir(outside)).toEqual([]);
});

test("a vault reached through a symlink is used at its real path", async () => {
  const real = await temporaryFolder();
  const link = path.join(await temporaryFolder(), "vault");
  await symlink(real, link);
  const vault = openNoteVault({ root: link });
  await vault.write("a.md", "x");
  expect(await readFile(path.join(real, "a.md"), "utf8")).toBe("x");
});

test("write leaves no temporary file, removes one that a crash left, and keeps the file's mode", async () => {
  const root = await temporaryFolder();
  await writeFile(path.join(root, "a.md"), "x", { mode: 0o600 });
  await writeFile(path.join(root, ".a.md.slowwave-tmp-0000"), "half");
  const vault = openNoteVault({ root });
  expect(await vault.paths()).toEqual(["a.md"]);
  await vault.write("a.md", "y");
  expect(await readdir(root)).toEqual(["a.md"]);
  expect((await stat(path.join(root, "a.md"))).mode & 0o777).toBe(0o600);
});

test("write does not touch a file that holds the text already", async () => {
  const root = await temporaryFolder();
  const vault = openNoteVault({ root });
  await vault.write("a.md", "x");
  const before = await stat(path.join(root, "a.md"));
  await vault.write("a.md", "x");
  const after = await stat(path.join(root, "a.md"));
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
});

test("read refuses a file that is not UTF-8 and names it", async () => {
  const root = await temporaryFolder();
  await writeFile(path.join(root, "latin1.md"), Buffer.from([0x63, 0x61, 0x66, 0xe9]));
  await expect(openNoteVault({ root }).read("latin1.md")).rejects.toMatchObject({
    message: expect.stringMatching(/latin1\.md.*not UTF-8/),
  });
});

test("paths leaves hidden folders out and does not follow symlinks", async () => {
  const root = await temporaryFolder();
  await mkdir(path.join(root, ".obsidian"));
  await writeFile(path.join(root, ".obsidian", "app.json"), "{}");
  await symlink("/", path.join(root, "everything"));
  expect(await openNoteVault({ root }).paths()).toEqual(["everything"]);
});

test.skipIf(process.platform === "win32")(
  "a name that another tool wrote in another Unicode form is the same folder to a case check",
  async () => {
    const root = await temporaryFolder();
    execFileSync("mkdir", [path.join(root, "Cafe\u0301")]);
    await expect(openNoteVault({ root }).write("Caf\u00e9/a.md", "x")).resolves.toBeUndefined();
  },
);
