import { expect, test } from "vitest";
import { createNoteFormat } from "../../src/adapters/obsidian/note-format.ts";
import { folderTemplateProblem } from "../../src/model/note-folder.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { aRelation } from "../builders.ts";
import { aVault, stepsOf } from "./a-vault.ts";

const MARIA = "Memories/Semantic/Maria is allergic to penicillin.md";
const CLINIC = "Memories/Semantic/The clinic opens at nine.md";
const BOTH = [
  { id: "m", content: "Maria is allergic to penicillin.", tags: ["health/Drugs", "x"] },
  { id: "c", content: "The clinic opens at nine." },
];
const BY_TOPIC = createNoteFormat({ folder: "{kind}/{topic}", log: false });

test("another folder in the configuration moves the notes, their links follow, and git sees renames", async () => {
  const { promote, deps, person, git, memory } = await aVault(BOTH);
  const relation = aRelation({ from: "c", to: "m" });
  await deps.store.commit([{ record: "relation", before: null, after: relation }]);
  await promote();
  await person.edit(MARIA, /$/, "\nMy own words.\n");
  git("commit", "--quiet", "-am", "Mine");
  const moved = { ...deps, loadNoteFormat: async () => BY_TOPIC };
  expect(stepsOf(await runPipeline(moved))).toEqual(["move_note applied", "move_note applied"]);
  const there = "Semantic/health/drugs/Maria is allergic to penicillin.md";
  expect(await person.notes()).toEqual([
    "Mine.md",
    "Semantic/Untagged/The clinic opens at nine.md",
    there,
  ]);
  expect(await memory("m")).toMatchObject({
    vaultPath: there,
    vaultFolder: "Semantic/health/drugs",
  });
  expect((await person.read(there)).endsWith("\nMy own words.\n")).toBe(true);
  expect(await person.read("Semantic/Untagged/The clinic opens at nine.md")).toContain(
    "[[Semantic/health/drugs/Maria is allergic to penicillin|",
  );
  expect(git("show", "-M", "--name-status", "--format=", "HEAD")).toMatch(/^R\d+\t.*\nR\d+\t.*\n$/);
  expect(stepsOf(await runPipeline(moved))).toEqual([]);
});

test("a note that a person moved, or whose part that is ours they changed, stays where it is", async () => {
  const { promote, run, deps, person } = await aVault(BOTH);
  await promote();
  await person.move(MARIA, "Health/Maria.md");
  await run();
  await person.edit(CLINIC, "> [!info]- Where", "> [!info]- From where");
  await runPipeline({ ...deps, loadNoteFormat: async () => BY_TOPIC });
  expect(await person.notes()).toEqual(["Health/Maria.md", CLINIC, "Mine.md"]);
});

test("a note that a person renamed in its folder moves under the name that they gave it", async () => {
  const { promote, run, deps, person } = await aVault(BOTH);
  await promote();
  await person.move(MARIA, "Memories/Semantic/Penicillin.md");
  await run();
  await runPipeline({ ...deps, loadNoteFormat: async () => BY_TOPIC });
  expect(await person.notes()).toContain("Semantic/health/drugs/Penicillin.md");
});

test("a note whose first tag changes goes where its topic is", async () => {
  const { promote, run, person, change } = await aVault(BOTH, { format: BY_TOPIC });
  await promote();
  await change("c", { tags: ["places"] });
  expect(stepsOf(await run())).toEqual(["move_note applied"]);
  expect(await person.notes()).toContain("Semantic/places/The clinic opens at nine.md");
});

test("two notes of one name that come into one folder both stay", async () => {
  const same = [
    { id: "a", content: "Setup of tea.", kind: "semantic" },
    { id: "b", content: "Setup of tea.", kind: "procedural" },
  ] as const;
  const { promote, deps, person } = await aVault(same);
  await promote();
  const format = createNoteFormat({ folder: "Notes", log: false });
  await runPipeline({ ...deps, loadNoteFormat: async () => format });
  const notes = (await person.notes()).filter((note) => note.startsWith("Notes/"));
  expect(notes).toEqual([
    expect.stringMatching(/^Notes\/Setup of tea [0-9a-f]{8}\.md$/),
    "Notes/Setup of tea.md",
  ]);
});

test.each([
  ["Memories/{kind}", undefined],
  ["{kind}/{topic}", undefined],
  ["Memory {year}/{month}/{namespace}", undefined],
  ["", "folder names"],
  ["a//b", "folder names"],
  ["/a", "folder names"],
  ["a/b/c/d/e/f/g", "1 to 6"],
  ["{tag}", "one of {kind}, {topic}"],
  ["{}", "one of {kind}"],
  ["../notes", "without a dot"],
  [".notes", "without a dot"],
  ["a{b", "without"],
  ["a#b", "without"],
  ["C:\\notes", "without"],
  ["memories/archive/x", "another folder than Memories/Archive"],
  ["Memories/Topics", "another folder than Memories/Topics"],
])("the folder %j is checked", (template, problem) => {
  const found = folderTemplateProblem(template);
  if (problem === undefined) expect(found).toBeUndefined();
  else expect(found).toContain(problem);
});

test("every token has a name that is safe as a folder", async () => {
  const format = createNoteFormat({ folder: "{namespace}/{year}/{month}/{kind} {topic}" });
  const { promote, memory } = await aVault(
    [{ id: "m", content: "Tea is green.", namespace: "team: a/b", tags: ["CON"] }],
    { format },
  );
  await promote();
  expect((await memory("m")).vaultFolder).toBe("team - a-b/2026/2026-03/Semantic con");
});
