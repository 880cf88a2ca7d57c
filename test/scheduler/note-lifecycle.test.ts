import { expect, test } from "vitest";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { aVault, stepsOf } from "./a-vault.ts";

const MARIA = "Memories/Semantic/Maria is allergic to penicillin.md";
const CLINIC = "Memories/Semantic/The clinic opens at nine.md";
const ARCHIVED = "Memories/Archive/Maria is allergic to penicillin.md";
const BOTH = [
  { id: "m", content: "Maria is allergic to penicillin.", tags: ["health"] },
  { id: "c", content: "The clinic opens at nine." },
];

test("an undone promotion retires its note to the archive with a person's words, and undoing that brings it back", async () => {
  const { promote, run, deps, person, memory, git } = await aVault(BOTH);
  const { run: first } = await promote();
  const written = await person.read(CLINIC);
  await person.edit(MARIA, /$/, "\nMy own words.\n");
  const mine = await person.read(MARIA);
  git("commit", "--quiet", "-am", "Mine");

  const undo = await undoRun(deps, first.id);
  expect(undo).toMatchObject({ applied: 4, refused: [] });
  expect(await memory("m")).toMatchObject({ status: "active" });
  expect(await memory("m")).not.toHaveProperty("vaultPath");
  expect(await person.notes()).toEqual([
    ARCHIVED,
    CLINIC.replace("Semantic", "Archive"),
    "Mine.md",
  ]);
  const retired = await person.read(ARCHIVED);
  expect(retired).toContain("> [!warning] Archived on 2026-03-02: taken back with its run");
  expect(retired.endsWith("\nMy own words.\n")).toBe(true);
  expect(git("show", "-M", "--name-status", "--format=", "HEAD")).toMatch(/^(?:R\d+\t.*\n){2}$/);
  expect(stepsOf(await run())).toEqual([]);

  expect((await undoRun(deps, undo.run.id)).refused).toEqual([]);
  expect(await person.notes()).toEqual([MARIA, CLINIC, "Mine.md"]);
  expect(await person.read(MARIA)).toBe(mine);
  expect(await person.read(CLINIC)).toBe(written);
  expect(stepsOf(await run())).toEqual([]);
  expect(git("status", "--porcelain").trim()).toBe("?? Mine.md");
});

test("a memory that is promoted again after an undo has its note back, with what a person wrote there", async () => {
  const { promote, run, deps, person } = await aVault(BOTH);
  const { run: first } = await promote();
  await person.edit(MARIA, /$/, "\nMy own words.\n");
  await undoRun(deps, first.id);
  await person.edit(ARCHIVED, /$/, "More of them.\n");
  expect(stepsOf(await run({ forced: new Set(["m"]) }))).toContain("promote applied");
  const back = await person.read(MARIA);
  expect(back).not.toContain("rchived");
  expect(back.endsWith("\nMy own words.\nMore of them.\n")).toBe(true);
  expect(await person.notes()).not.toContain(ARCHIVED);
  expect(stepsOf(await run())).toEqual([]);
});

test("a note whose text a person edited stays through an undo, and is named", async () => {
  const { promote, deps, person, memory } = await aVault(BOTH);
  const { run: first } = await promote();
  await person.edit(MARIA, "is allergic to penicillin.\n", "was allergic to penicillin.\n");
  const edited = await person.read(MARIA);
  expect((await undoRun(deps, first.id)).refused).toEqual([
    { id: MARIA, reason: "was edited since the run, and stays" },
  ]);
  expect(await person.read(MARIA)).toBe(edited);
  expect((await memory("m")).status).toBe("active");
});

test("undoing a run that archived a note brings it back to its place", async () => {
  const { promote, run, deps, person } = await aVault(BOTH);
  await promote();
  const written = await person.read(MARIA);
  await person.edit(MARIA, "kind: semantic\n", "kind: semantic\nforget: true\n");
  const { run: forgetting } = await run();
  expect(await person.notes()).toContain(ARCHIVED);
  expect((await undoRun(deps, forgetting.id)).refused).toEqual([]);
  expect(await person.notes()).toEqual([MARIA, CLINIC, "Mine.md"]);
  expect(await person.read(MARIA)).toBe(
    written.replace("kind: semantic\n", "kind: semantic\nforget: true\n"),
  );
});

test("undoing a run that took a person's edit over brings the memory back, and leaves their text in the note", async () => {
  const { promote, run, deps, person, memory } = await aVault(BOTH);
  await promote();
  await person.edit(MARIA, "is allergic to penicillin.\n", "was allergic to penicillin.\n");
  const { run: taking } = await run();
  expect((await memory("m")).content).toContain("was allergic");
  await undoRun(deps, taking.id);
  expect((await memory("m")).content).toContain("is allergic");
  const edited = await person.read(MARIA);
  expect(edited).toContain("was allergic to penicillin.\n");
  expect(stepsOf(await run()).filter((step) => step.endsWith("applied"))).toEqual([]);
  expect(await person.read(MARIA)).toBe(edited);
});

test("a note in the archive that a person deleted stays deleted, and its memory is promoted with a new one", async () => {
  const { promote, run, deps, person } = await aVault(BOTH);
  const { run: first } = await promote();
  await undoRun(deps, first.id);
  await person.delete(ARCHIVED);
  await runPipeline(deps, { forced: new Set(["m"]) });
  expect(await person.notes()).toContain(MARIA);
  expect(stepsOf(await run())).toEqual([]);
});
