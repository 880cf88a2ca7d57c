import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../adapters/git/a-repository.ts";
import { aRelation } from "../builders.ts";
import { aVault, stepsOf } from "./a-vault.ts";

/** What users of such tools report, each as a whole run over real files and a real repository. */

const MARIA = "Memories/Semantic/Maria is allergic to penicillin.md";
const CLINIC = "Memories/Semantic/The clinic opens at nine.md";
const BOTH = [
  { id: "m", content: "Maria is allergic to penicillin.", tags: ["health"] },
  { id: "c", content: "The clinic opens at nine." },
];

test("one broken note among many is named with its line and left alone, and all others are written", async () => {
  const many = Array.from({ length: 20 }, (_, n) => ({
    id: `m${n}`,
    content: `Fact ${n} is true.`,
  }));
  const { promote, run, person, change, deps } = await aVault(many);
  await promote();
  const broken = "Memories/Semantic/Fact 7 is true.md";
  await person.edit(broken, "kind: semantic\n", "kind: semantic\nkind: fact\n");
  const text = await person.read(broken);
  for (const { id } of many) await change(id, { tags: ["new"] });
  const report = await run();
  expect(await person.read(broken)).toBe(text);
  const notes = (await person.notes()).filter((note) => note.startsWith("Memories/Semantic"));
  const texts = await Promise.all(notes.map(person.read));
  expect(texts.filter((one) => one.includes("  - new\n"))).toHaveLength(19);
  expect(stepsOf(report)).toContain("open_issue applied");
  const [issue] = await deps.store.read("issue");
  expect(issue).toMatchObject({
    title: `Note left as it is: ${broken}`,
    notes: { reason: expect.stringMatching(/^line \d+: Map keys must be unique/) },
  });
});

test("a file where the folder of notes should be stops promotion by name, and nothing counts as promoted", async () => {
  const { promote, run, person, memory, root } = await aVault(BOTH);
  await writeFile(path.join(root, "Memories"), "mine");
  const report = await promote();
  expect(report.run.status).toBe("failed");
  const refused = report.fates.filter(({ fate }) => fate === "refused");
  expect(refused.map(({ why }) => why).join()).toContain("Memories");
  expect((await memory("m")).status).toBe("active");
  expect(await person.read("Memories")).toBe("mine");
  await person.delete("Memories");
  await run({ forced: new Set(["m", "c"]) });
  expect((await memory("m")).status).toBe("promoted");
});

test("a symlink in place of the folder of notes is refused, and nothing is written where it leads", async () => {
  const { promote, memory, root } = await aVault(BOTH);
  const outside = await temporaryFolder();
  await symlink(outside, path.join(root, "Memories"));
  const report = await promote();
  expect(report.fates.map(({ why }) => why).join()).toContain("symlink");
  expect((await memory("m")).status).toBe("active");
  expect(await readdir(outside)).toEqual([]);
});

test("titles that would leave the vault, or that Windows and links cannot take, become notes that links reach", async () => {
  const titles = [
    "../../x",
    "A/B: why?",
    "CON",
    "Primer #1",
    "x | y",
    ".obsidian",
    "NUL.tar",
    "a".repeat(300),
  ];
  const memories = titles.map((title, n) => ({
    id: `m${n}`,
    content: `Fact ${n} is true.`,
    extra: { title },
  }));
  const { promote, run, person, deps } = await aVault(memories);
  for (const { id } of memories.slice(1)) {
    const relation = aRelation({ id: `r-${id}`, from: "m0", to: id });
    await deps.store.commit([{ record: "relation", before: null, after: relation }]);
  }
  await promote();
  const notes = (await person.notes()).filter((note) => note !== "Mine.md");
  expect(notes.every((note) => note.startsWith("Memories/Semantic/"))).toBe(true);
  const first = notes.find((note) => note.includes("x.md") && note.includes(".."));
  const text = await person.read(first ?? "");
  for (const note of notes) if (note !== first) expect(text).toContain(`[[${note.slice(0, -3)}|`);
  expect(stepsOf(await run())).toEqual([]);
});

test("a person's README.md beside the title readme stays, also where letter case does not count", async () => {
  const { promote, person } = await aVault([
    { id: "m", content: "readme of the clinic", extra: { title: "readme" } },
  ]);
  await person.write("Memories/Semantic/README.md", "Mine.\n");
  await promote();
  expect(await person.read("Memories/Semantic/README.md")).toBe("Mine.\n");
  expect(
    (await person.notes()).filter((note) => /readme [0-9a-f]{8}\.md$/.test(note)),
  ).toHaveLength(1);
});

test("a note that is no text is named and left alone, and its memory stays promoted", async () => {
  const { promote, run, person, memory, change, root } = await aVault(BOTH);
  await promote();
  const bytes = Buffer.from([0x63, 0xe9, 0x0a]);
  await writeFile(path.join(root, MARIA), bytes);
  await change("c", { tags: ["new"] });
  const report = await run();
  expect(report.notes.join()).toMatch(/penicillin\.md.*not UTF-8/);
  expect(await readFile(path.join(root, MARIA))).toEqual(bytes);
  expect((await memory("m")).status).toBe("promoted");
  expect(await person.read(CLINIC)).toContain("  - new\n");
});

test("a relation to a memory without a note is no link", async () => {
  const { promote, person, deps } = await aVault(BOTH);
  for (const to of ["c", "nobody"]) {
    const relation = aRelation({ id: `r-${to}`, from: "m", to });
    await deps.store.commit([{ record: "relation", before: null, after: relation }]);
  }
  await promote();
  expect((await person.read(MARIA)).match(/\[\[/g)).toHaveLength(1);
});

test("notes that the repository ignores are written, reported and never added", async () => {
  const { promote, person, git, deps } = await aVault(BOTH);
  await person.write(".gitignore", "Memories/\n");
  const report = await promote();
  expect(report.run.status).toBe("completed");
  expect(report.notes.join()).toContain(`git: ${MARIA} is ignored by the repository`);
  expect(await person.notes()).toContain(MARIA);
  expect(git("ls-files")).toBe("");
  expect((await deps.store.read("outbox")).map(({ state }) => state)).toEqual(["done"]);
});

test("during a merge the notes are written, and their commit is made once it is over", async () => {
  const { promote, run, person, git } = await aVault(BOTH);
  git("add", ".");
  git("commit", "--quiet", "-m", "Mine");
  git("checkout", "--quiet", "-b", "side");
  await person.write("Mine.md", "side\n");
  git("commit", "--quiet", "-am", "Side");
  git("checkout", "--quiet", "main");
  await person.write("Mine.md", "main\n");
  git("commit", "--quiet", "-am", "Main");
  expect(() => git("merge", "side")).toThrow();
  const report = await promote();
  expect(report.notes.join()).toContain("waits: a merge is in progress");
  expect(await person.notes()).toContain(CLINIC);
  git("merge", "--abort");
  await run();
  expect(git("log", "-1", "--format=%s")).toBe("Update 2 notes from memory\n");
});

test("attachments, canvases, templates, settings and copies of sync clients stay byte for byte", async () => {
  const { promote, run, person, root, change, deps } = await aVault(BOTH);
  await promote();
  const note = await person.read(MARIA);
  const theirs: Readonly<Record<string, string>> = {
    ".obsidian/app.json": '{"alwaysUpdateLinks":true}',
    ".obsidian/workspace.json": "{",
    "Attachments/scan.pdf": "%PDF\0\u0001",
    "Board.canvas": '{"nodes":[{"type":"file","file":"Memories/Semantic/x.md"}]}',
    "Templates/Memory.md": "---\nid: <% tp.id %>\nkind: semantic\ntags: [\n---\n{{title}}\n",
    "Excalidraw/Drawing.excalidraw.md": "---\nexcalidraw-plugin: parsed\n---\n%%\n# Text\n%%\n",
    [MARIA.replace(".md", " (conflicted copy 2026-03-01).md")]: note.replace("allergic", "immune"),
    [MARIA.replace(".md", " 2.md")]: note,
    [MARIA.replace(".md", ".sync-conflict-20260301-120000-ABCDEF.md")]: note,
    "Memories/Semantic/notes.md": "\ufeff---\r\ntags: [a]\r\n---\r\nMine\r\n",
  };
  for (const [file, text] of Object.entries(theirs)) await person.write(file, text);
  await mkdir(path.join(root, "Empty"));
  await change("m", { tags: ["health", "more"] });
  await person.move(CLINIC, "Places/Clinic.md");
  await run();
  await run();
  for (const [file, text] of Object.entries(theirs)) expect(await person.read(file)).toBe(text);
  expect(await readdir(root)).toContain("Empty");
  expect(await person.read(MARIA)).toContain("  - more\n");
  const [copies] = (await deps.store.read("issue")).filter(
    (one) => one.notes.action === "note_copies",
  );
  expect(copies?.notes.details.copies).toHaveLength(3);
});
