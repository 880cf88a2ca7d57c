import { expect, test } from "vitest";
import type { NoteVault } from "../../src/ports/note-vault.ts";

/** What every vault must do. `open` gives a fresh, empty, writable vault. */
export function testNoteVault(name: string, open: () => Promise<NoteVault>): void {
  test(`${name}: an empty vault is ready, says that it is empty, and has no paths`, async () => {
    const vault = await open();
    expect(await vault.state()).toMatchObject({ kind: "ready", empty: true });
    expect(await vault.paths()).toEqual([]);
  });

  test(`${name}: a written note reads back byte for byte, with BOM, CRLF and emoji`, async () => {
    const vault = await open();
    const text = "\ufeff---\r\ntitle: é 🎉\r\n---\r\n\u0000body\n";
    await vault.write("Memories/Semantic/a.md", text);
    expect(await vault.read("Memories/Semantic/a.md")).toBe(text);
    expect(await vault.state()).toMatchObject({ kind: "ready", empty: false });
  });

  test(`${name}: a note that is not there reads as undefined`, async () => {
    const vault = await open();
    expect(await vault.read("nowhere/b.md")).toBeUndefined();
  });

  test(`${name}: writing again replaces the text`, async () => {
    const vault = await open();
    await vault.write("a.md", "one");
    await vault.write("a.md", "two");
    expect(await vault.read("a.md")).toBe("two");
  });

  test(`${name}: paths lists files and folders, sorted`, async () => {
    const vault = await open();
    await vault.write("b/c.md", "x");
    await vault.write("a.md", "x");
    expect(await vault.paths()).toEqual(["a.md", "b", "b/c.md"]);
  });

  test.each([
    "../x.md",
    "a/../../x.md",
    "/etc/x.md",
    "",
    "a//b.md",
    "./a.md",
    "a\\b.md",
    "C:x.md",
    ".git/config",
    "a/\0.md",
  ])(`${name}: the path %j is refused by every method`, async (path) => {
    const vault = await open();
    await vault.write("kept.md", "x");
    const refusal = { name: "SlowwaveError", code: "vault" };
    await expect(vault.read(path)).rejects.toMatchObject(refusal);
    await expect(vault.write(path, "x")).rejects.toMatchObject(refusal);
    await expect(vault.move("kept.md", path)).rejects.toMatchObject(refusal);
    await expect(vault.removeIfUnchanged(path, "x")).rejects.toMatchObject(refusal);
    expect(await vault.paths()).toEqual(["kept.md"]);
  });

  test.each([
    ["README.md", "readme.md"],
    ["Notes/a.md", "notes/b.md"],
    ["Straße.md", "STRASSE.md"],
    ["Memories", "memories/a.md"],
  ])(`${name}: with %j there, %j is refused and the first stays`, async (first, second) => {
    const vault = await open();
    await vault.write(first, "a person's");
    await expect(vault.write(second, "ours")).rejects.toMatchObject({
      code: "vault",
      message: expect.stringContaining("differs in case only"),
    });
    expect(await vault.read(first)).toBe("a person's");
  });

  test(`${name}: a note cannot be put below another note`, async () => {
    const vault = await open();
    await vault.write("a.md", "x");
    await expect(vault.write("a.md/b.md", "x")).rejects.toMatchObject({ code: "vault" });
    await expect(vault.write("d/b.md", "x")).resolves.toBeUndefined();
    await expect(vault.write("d", "x")).rejects.toMatchObject({ code: "vault" });
  });

  test(`${name}: a moved note keeps its text and leaves its place, and no empty folder`, async () => {
    const vault = await open();
    await vault.write("a/b/c.md", "x");
    await vault.move("a/b/c.md", "d/e.md");
    expect(await vault.read("d/e.md")).toBe("x");
    expect(await vault.paths()).toEqual(["d", "d/e.md"]);
  });

  test(`${name}: a move can change the case of a name`, async () => {
    const vault = await open();
    await vault.write("readme.md", "x");
    await vault.move("readme.md", "README.md");
    expect(await vault.paths()).toEqual(["README.md"]);
  });

  test(`${name}: a move refuses to overwrite, and to move what is not there`, async () => {
    const vault = await open();
    await vault.write("a.md", "a");
    await vault.write("b.md", "b");
    await expect(vault.move("a.md", "b.md")).rejects.toMatchObject({ code: "vault" });
    await expect(vault.move("c.md", "d.md")).rejects.toMatchObject({ code: "vault" });
    expect([await vault.read("a.md"), await vault.read("b.md")]).toEqual(["a", "b"]);
  });

  test(`${name}: a note is removed only while its text is the expected one`, async () => {
    const vault = await open();
    await vault.write("a/b.md", "ours, and a person's edit");
    expect(await vault.removeIfUnchanged("a/b.md", "ours")).toBe(false);
    expect(await vault.read("a/b.md")).toBe("ours, and a person's edit");
    expect(await vault.removeIfUnchanged("a/b.md", "ours, and a person's edit")).toBe(true);
    expect(await vault.paths()).toEqual([]);
    expect(await vault.removeIfUnchanged("a/b.md", "ours")).toBe(true);
  });
}
