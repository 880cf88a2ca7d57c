import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openNoteVault } from "../../src/adapters/obsidian/note-vault.ts";
import { checkVault } from "../../src/scheduler/check-vault.ts";
import { lastWrittenNotes } from "../../src/scheduler/last-written.ts";
import { rebuildVault } from "../../src/scheduler/rebuild-vault.ts";
import { createWorkspace } from "../../src/scheduler/workspace.ts";
import { aRelation } from "../builders.ts";
import { quietFormat } from "../note-formats.ts";
import { aVault } from "./a-vault.ts";

const MARIA = "Memories/Semantic/Maria is allergic to penicillin.md";
const CLINIC = "Memories/Semantic/The clinic opens at nine.md";

async function aCheckedVault() {
  const vault = await aVault([
    { id: "m", content: "Maria is allergic to penicillin." },
    { id: "c", content: "The clinic opens at nine." },
  ]);
  await vault.deps.store.commit([
    { record: "relation", before: null, after: aRelation({ from: "m", to: "c" }) },
  ]);
  await vault.promote();
  const view = async () => {
    const snapshot = await vault.deps.store.snapshot();
    return createWorkspace({ snapshot, now: vault.deps.clock.now(), journal: [] }).view;
  };
  const check = async () => {
    const lastWritten = lastWrittenNotes(vault.deps.store);
    const real = openNoteVault({ root: vault.root });
    return await checkVault({ view: await view(), vault: real, format: quietFormat, lastWritten });
  };
  return { ...vault, view, check };
}

test("a vault as it was written passes the check, with a person's own notes and text in it", async () => {
  const { check, person } = await aCheckedVault();
  await person.edit(MARIA, /$/, "\nMine, with a [[page to come]].\n");
  expect(await check()).toEqual({ checked: 2, problems: [] });
});

test.each([
  [
    "an edit",
    (p: Person) => p.edit(CLINIC, "opens at nine.\n", "opens at ten.\n"),
    "was edited (text)",
  ],
  ["a broken property", (p: Person) => p.edit(CLINIC, "why:", "why: a: b"), "line "],
  ["a removed mark", (p: Person) => p.edit(CLINIC, "%% slowwave:end %%", ""), "expected one %%"],
  ["a deleted note", (p: Person) => p.delete(CLINIC), "is not there"],
  [
    "a dangling link",
    (p: Person) => p.move(CLINIC, "Clinic.md"),
    "links to Memories/Semantic/The clinic",
  ],
  ["a moved note", (p: Person) => p.move(CLINIC, "Clinic.md"), "it was moved there or copied"],
  ["an unknown id", (p: Person) => p.edit(CLINIC, "id: c", "id: zzz"), "id of another memory, zzz"],
])("the check names %s", async (_what, act, problem) => {
  const { check, person } = await aCheckedVault();
  await act(person);
  const { problems } = await check();
  expect(problems.map((one) => one.problem).join("\n")).toContain(problem);
});

type Person = Awaited<ReturnType<typeof aVault>>["person"];

test("a rebuilt vault holds every note as it was written, and nothing that a person added", async () => {
  const { person, view } = await aCheckedVault();
  const [maria, clinic] = [await person.read(MARIA), await person.read(CLINIC)];
  await person.edit(MARIA, /$/, "\nMine.\n");
  const out = await mkdtemp(path.join(tmpdir(), "slowwave-rebuilt-"));
  onTestFinished(() => rm(out, { recursive: true, force: true }));
  const vault = openNoteVault({ root: out });
  const { written } = await rebuildVault({ view: await view(), vault, format: quietFormat });
  expect(written.toSorted()).toEqual([MARIA, CLINIC]);
  expect(await readFile(path.join(out, MARIA), "utf8")).toBe(maria);
  expect(await readFile(path.join(out, CLINIC), "utf8")).toBe(clinic);
});
