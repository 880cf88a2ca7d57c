import { expect, test } from "vitest";
import { aRelation } from "../builders.ts";
import { aVault, stepsOf } from "./a-vault.ts";

const MARIA = "Memories/Semantic/Maria is allergic to penicillin.md";
const CLINIC = "Memories/Semantic/The clinic opens at nine.md";
const BOTH = [
  { id: "m", content: "Maria is allergic to penicillin. She told the clinic.", tags: ["health"] },
  { id: "c", content: "The clinic opens at nine.", tags: ["2026"] },
];

test("an edited text becomes a revision of its memory, under the title it had", async () => {
  const { promote, run, person, memory } = await aVault(BOTH);
  await promote();
  const [from, to] = [
    "is allergic to penicillin. She told",
    "takes no penicillin. She told Bob Miller of",
  ];
  await person.edit(MARIA, from, to);
  const dry = await run({ dryRun: true });
  expect(stepsOf(dry)).toEqual(["take_edits planned", "update_note planned"]);
  expect((await memory("m")).content).toContain("is allergic");
  expect(stepsOf(await run())).toEqual(["take_edits applied", "update_note applied"]);
  expect(await memory("m")).toMatchObject({
    content: "Maria takes no penicillin. She told Bob Miller of the clinic.",
    extra: { title: "Maria is allergic to penicillin" },
    entities: expect.arrayContaining(["Maria", "Bob Miller"]),
    vaultPath: MARIA,
  });
  expect(await person.read(MARIA)).toContain("She told Bob Miller of the clinic.");
  expect(stepsOf(await run())).toEqual([]);
});

test("edited tags and aliases become those of the memory, and what was taken out stays out", async () => {
  const { promote, run, person, memory } = await aVault(BOTH);
  await promote();
  await person.edit(MARIA, "  - health\n", "  - urgent\n");
  await person.edit(MARIA, "aliases:\n", "aliases:\n  - Penicillin\n");
  await person.edit(CLINIC, "  - y2026\n", "  - y2026\n  - hours\n");
  await run();
  expect(await memory("m")).toMatchObject({ tags: ["urgent"], extra: { aliases: ["Penicillin"] } });
  expect((await memory("c")).tags).toEqual(["2026", "hours"]);
  expect(await person.read(MARIA)).not.toContain("health");
  expect(stepsOf(await run())).toEqual([]);
});

test("tags that the memory lost elsewhere do not come back from the note", async () => {
  const { promote, run, person, memory, change } = await aVault(BOTH);
  await promote();
  await change("m", { tags: ["new"] });
  await person.edit(MARIA, "  - health\n", "  - health\n  - mine\n");
  await run();
  expect((await memory("m")).tags).toEqual(["new", "mine"]);
  await run();
  expect((await memory("m")).tags).toEqual(["new", "mine"]);
});

test("a ticked pinned pins, an unticked one unpins, and a title, kind or entity can be changed", async () => {
  const { promote, run, person, memory } = await aVault(BOTH);
  await promote();
  await person.edit(MARIA, "pinned: false", "pinned: true");
  await person.edit(MARIA, /^title: .*$/m, "title: Penicillin");
  await person.edit(MARIA, "kind: semantic", "kind: procedural");
  await run();
  expect(await memory("m")).toMatchObject({
    pinned: true,
    kind: "procedural",
    extra: { title: "Penicillin" },
  });
  const procedural = MARIA.replace("Semantic", "Procedural");
  await person.edit(procedural, "pinned: true", "pinned: false");
  await run();
  expect((await memory("m")).pinned).toBe(false);
  expect(stepsOf(await run())).toEqual([]);
});

test("a person's change and the memory's own change are both kept where they touch different things", async () => {
  const { promote, run, person, memory, change } = await aVault(BOTH);
  await promote();
  await change("m", { content: "Maria is allergic to penicillin and nuts." });
  await person.edit(MARIA, "pinned: false", "pinned: true");
  await run();
  expect(await memory("m")).toMatchObject({
    pinned: true,
    content: "Maria is allergic to penicillin and nuts.",
  });
  expect(await person.read(MARIA)).toContain("penicillin and nuts.");
});

test("where note and memory both changed, neither is written over and one issue shows all three versions", async () => {
  const { promote, run, person, memory, change, deps } = await aVault(BOTH);
  await promote();
  await person.edit(MARIA, "She told", "He told");
  await change("m", { content: "Maria is allergic to penicillin. Nobody was told." });
  const edited = await person.read(MARIA);
  await run();
  await run();
  expect(await person.read(MARIA)).toBe(edited);
  expect((await memory("m")).content).toContain("Nobody was told.");
  const issues = (await deps.store.read("issue")).filter((issue) => issue.status === "open");
  expect(issues.map((issue) => issue.notes.action)).toEqual(["note_conflict"]);
  const diff = String(issues[0]?.notes.details.diff);
  expect(diff).toContain("She told the clinic.");
  expect(diff).toContain("+ Maria is allergic to penicillin. He told the clinic.");
  expect(diff).toContain("+ Maria is allergic to penicillin. Nobody was told.");
});

test("an approved conflict takes the note's version, and its issue is closed", async () => {
  const { promote, run, person, memory, change, deps } = await aVault(BOTH);
  await promote();
  await person.edit(MARIA, "She told", "He told");
  await change("m", { content: "Something else." });
  await run();
  const [issue] = (await deps.store.read("issue")).filter((one) => one.status === "open");
  if (issue === undefined) throw new Error("no issue was opened");
  const approved = {
    ...issue,
    labels: [...issue.labels, "approved"],
    revision: issue.revision + 1,
  };
  await deps.store.commit([{ record: "issue", before: issue, after: approved }]);
  await run();
  expect((await memory("m")).content).toBe("Maria is allergic to penicillin. He told the clinic.");
  expect((await deps.store.read("issue")).filter((one) => one.status === "open")).toEqual([]);
  expect(stepsOf(await run())).toEqual([]);
});

test("a deleted note takes the promotion back, and only force or a change promotes again", async () => {
  const { promote, run, person, memory, change, deps } = await aVault(BOTH);
  await promote();
  await person.delete(MARIA);
  await deps.store.recordUses(
    [1, 2, 3, 4, 5].map((n) => ({
      id: `u${n}`,
      namespace: "default",
      memoryId: "m",
      at: deps.clock.now() - n,
      kind: "recall",
      cause: `c${n}`,
    })),
  );
  expect(stepsOf(await run())).toContain("note_deleted applied");
  expect(await memory("m")).toMatchObject({ status: "active" });
  expect(await memory("m")).not.toHaveProperty("vaultPath");
  await run();
  expect((await memory("m")).status).toBe("active");
  expect(await person.notes()).toEqual([CLINIC, "Mine.md"]);
  await run({ forced: new Set(["m"]) });
  expect((await memory("m")).status).toBe("promoted");
  await person.delete(MARIA);
  await run();
  await change("m", { content: "Maria is allergic to penicillin and to nuts." });
  await run({ forced: new Set(["m"]) });
  expect((await memory("m")).status).toBe("promoted");
});

test("notes that are all gone at once change nothing until a person says that they were deleted", async () => {
  const many = Array.from({ length: 6 }, (_, n) => ({
    id: `m${n}`,
    content: `The fact with number ${n} is true.`,
  }));
  const { promote, run, person, memory } = await aVault(many);
  await promote();
  for (const note of await person.notes()) if (note !== "Mine.md") await person.delete(note);
  const report = await run();
  expect(report.notes.join()).toContain("6 of 6 notes are missing at once");
  expect(stepsOf(report)).toEqual([]);
  expect((await memory("m0")).status).toBe("promoted");
  await run({ acceptDeletions: true });
  expect((await memory("m0")).status).toBe("active");
});

test("a moved and edited note is followed by its id, and links to it lead there", async () => {
  const { promote, run, person, memory, deps } = await aVault(BOTH);
  await deps.store.commit([
    { record: "relation", before: null, after: aRelation({ from: "m", to: "c" }) },
  ]);
  await promote();
  await person.move(CLINIC, "Places/Clinic.md");
  await person.edit("Places/Clinic.md", "opens at nine.", "opens at ten.");
  await run();
  expect(await memory("c")).toMatchObject({
    vaultPath: "Places/Clinic.md",
    content: "The clinic opens at ten.",
  });
  expect(await person.read(MARIA)).toContain("[[Places/Clinic|The clinic opens at nine]]");
  expect(await person.notes()).toEqual([MARIA, "Mine.md", "Places/Clinic.md"]);
  expect(stepsOf(await run())).toEqual([]);
});

test("links that Obsidian rewrote after a rename are nobody's edit", async () => {
  const { promote, run, person, deps } = await aVault(BOTH);
  await deps.store.commit([
    { record: "relation", before: null, after: aRelation({ from: "m", to: "c" }) },
  ]);
  await promote();
  await person.move(CLINIC, "Clinic.md");
  await person.edit(MARIA, "[[Memories/Semantic/The clinic opens at nine|", "[[Clinic|");
  await run();
  expect((await deps.store.read("issue")).map((issue) => issue.title)).toEqual([]);
  expect(await person.read(MARIA)).toContain("[[Clinic|The clinic opens at nine]]");
});

test("copies of a note that a sync client left are reported once, and never written", async () => {
  const { promote, run, person, deps, change } = await aVault(BOTH);
  await promote();
  const copy = MARIA.replace(".md", " (conflict 2026-03-01).md");
  const text = (await person.read(MARIA)).replace("She told", "Eve told");
  await person.write(copy, text);
  await change("m", { tags: ["health", "more"] });
  const report = await run();
  expect(report.notes.join()).toContain(`${copy} is a copy of ${MARIA}`);
  await run();
  expect(await person.read(copy)).toBe(text);
  expect(await person.read(MARIA)).toContain("  - more\n");
  const open = (await deps.store.read("issue")).filter((issue) => issue.status === "open");
  expect(open.map((issue) => issue.notes.action)).toEqual(["note_copies"]);
});

test("a note whose links or sources were changed stays as it is, and one issue says where to write", async () => {
  const { promote, run, person, deps, change } = await aVault(BOTH);
  await promote();
  await person.edit(MARIA, "> [!info]- Where this comes from", "> [!info]- Sources");
  await change("m", { tags: ["other"] });
  const edited = await person.read(MARIA);
  await run();
  await run();
  expect(await person.read(MARIA)).toBe(edited);
  expect((await deps.store.read("issue")).filter((one) => one.status === "open")).toHaveLength(1);
});

test("forget in a note archives memory and note, and a restored memory brings the note back", async () => {
  const { promote, run, person, memory, change, git } = await aVault(BOTH);
  await promote();
  await person.edit(MARIA, "kind: semantic\n", "kind: semantic\nforget: true\n");
  await person.edit(MARIA, /$/, "\nMy own words.\n");
  expect(stepsOf(await run())).toEqual(["take_edits applied", "archive_note applied"]);
  const archived = "Memories/Archive/Maria is allergic to penicillin.md";
  expect(await memory("m")).toMatchObject({
    status: "archived",
    archivedReason: "forgotten",
    vaultPath: archived,
  });
  const text = await person.read(archived);
  expect(text).toContain("> [!warning] Archived on ");
  expect(text).toContain("forget: false\n");
  expect(text.endsWith("\nMy own words.\n")).toBe(true);
  expect(await person.notes()).toEqual([archived, CLINIC, "Mine.md"]);
  expect(git("status", "--porcelain").trim()).toBe("?? Mine.md");
  expect(stepsOf(await run())).toEqual([]);
  await change("m", { status: "promoted", archivedAt: undefined, archivedReason: undefined });
  expect(stepsOf(await run())).toEqual(["restore_note applied"]);
  const back = await person.read(MARIA);
  expect(back).not.toContain("rchived");
  expect(back.endsWith("\nMy own words.\n")).toBe(true);
  expect(stepsOf(await run())).toEqual([]);
});

test("the note of a superseded memory moves to the archive and leads to the one in its place", async () => {
  const { promote, run, person, change, deps } = await aVault(BOTH);
  await deps.store.commit([
    { record: "relation", before: null, after: aRelation({ from: "c", to: "m" }) },
  ]);
  await promote();
  expect(await person.read(CLINIC)).toContain("[[Memories/Semantic/Maria");
  await change("m", {
    status: "archived",
    archivedAt: deps.clock.now(),
    archivedReason: "superseded",
    supersededBy: "c",
  });
  await run();
  expect(await person.read("Memories/Archive/Maria is allergic to penicillin.md")).toContain(
    "superseded by another, now [[Memories/Semantic/The clinic opens at nine|The clinic opens at nine]]",
  );
  expect(await person.read(CLINIC)).not.toContain("Maria");
  await person.move(CLINIC, "Clinic.md");
  await run();
  expect(await person.read("Memories/Archive/Maria is allergic to penicillin.md")).toContain(
    "now [[Clinic|",
  );
});
