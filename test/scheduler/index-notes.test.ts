import { expect, test } from "vitest";
import { createMemoryVault } from "../../src/adapters/memory/memory-vault.ts";
import { openNoteVault } from "../../src/adapters/obsidian/note-vault.ts";
import { checkVault } from "../../src/scheduler/check-vault.ts";
import { planIndexNotes } from "../../src/scheduler/index-notes.ts";
import { createWorkspace } from "../../src/scheduler/workspace.ts";
import { aMemory } from "../builders.ts";
import { noteFormat } from "../note-formats.ts";
import { aVault, stepsOf } from "./a-vault.ts";
import { createRunDeps, fill } from "./run-deps.ts";

const TEA = "Memories/Topics/tea.md";

function memories(count: number, tags: readonly string[]) {
  return Array.from({ length: count }, (_, n) => ({
    id: `m${n}`,
    content: `The fact with number ${n} is true.`,
    tags,
  }));
}

test("three notes with a tag, however it is written, get a topic note, and a second run rewrites nothing", async () => {
  const { promote, run, person } = await aVault([
    { id: "a", content: "Ann drinks green tea.", tags: ["Tea"] },
    { id: "b", content: "Bob drinks black tea.", tags: ["tea", "pairs"] },
    { id: "c", content: "Cleo sells white tea.", tags: ["#TEA", "pairs"] },
  ]);
  expect(stepsOf(await promote())).toContain("write_topic applied");
  const text = await person.read(TEA);
  expect(text).toContain('id: "topic:default:tea"\n');
  expect(text).toContain(
    [
      "- [[Memories/Semantic/Ann drinks green tea|Ann drinks green tea]]",
      "- [[Memories/Semantic/Bob drinks black tea|Bob drinks black tea]]",
      "- [[Memories/Semantic/Cleo sells white tea|Cleo sells white tea]]",
    ].join("\n"),
  );
  expect((await person.notes()).filter((note) => note.includes("Topics"))).toEqual([TEA]);
  expect(stepsOf(await run())).toEqual([]);
});

test("a topic note follows its notes, keeps what a person adds, and says when none is left", async () => {
  const { promote, run, person, change } = await aVault(memories(3, ["tea"]));
  await promote();
  await person.edit(TEA, /$/, "\nMy words on tea.\n");
  await change("m0", { tags: [] });
  await run();
  expect(await person.read(TEA)).not.toContain("number 0");
  await change("m1", { tags: [] });
  await change("m2", { tags: [] });
  await run();
  expect(await person.read(TEA)).toContain("No note has this tag any more.");
  expect(await person.read(TEA)).toContain("\nMy words on tea.\n");
  expect(stepsOf(await run())).toEqual([]);
});

test("a topic note that a person deleted or rewrote is left alone, and so is a note of theirs in its place", async () => {
  const { promote, run, person, change } = await aVault([
    ...memories(3, ["tea", "own", "edited"]),
    { id: "x", content: "One more that has the tags.", tags: [] },
  ]);
  await person.write("Memories/Topics/own.md", "My own page.");
  await promote();
  await person.delete(TEA);
  await person.edit("Memories/Topics/edited.md", "- [[", "- My order: [[");
  const edited = await person.read("Memories/Topics/edited.md");
  await change("x", { tags: ["tea", "own", "edited"] });
  await run();
  expect(await person.notes()).not.toContain(TEA);
  expect(await person.read("Memories/Topics/own.md")).toBe("My own page.");
  expect(await person.read("Memories/Topics/edited.md")).toBe(edited);
});

test("a topic note is known for a topic's by its text", () => {
  const entries = [{ path: "a.md", title: "A", relationType: "related" }];
  const topic = { kind: "topic", namespace: "work: a", tag: "a/b" } as const;
  const composed = noteFormat.composeIndex({ ...topic, entries }, undefined);
  if (composed.kind !== "text") throw new Error(composed.reason);
  expect(noteFormat.indexIn(composed.text)).toEqual(topic);
  expect(noteFormat.identify(composed.text)).toBeUndefined();
  expect(noteFormat.indexPathFor(topic)).toBe("Memories/Topics of work - a/a/b.md");
});

test("an index takes no more than 25,000 bytes, whatever its titles are, and counts the rest", () => {
  const entries = Array.from({ length: 150 }, (_, n) => ({
    path: `Memories/Semantic/${"語".repeat(60)} ${n}.md`,
    title: `${"語".repeat(70)} ${n}`,
    relationType: "related",
  }));
  const topic = { kind: "topic", namespace: "default", tag: "tea" } as const;
  const composed = noteFormat.composeIndex({ ...topic, entries }, undefined);
  if (composed.kind !== "text") throw new Error(composed.reason);
  expect(Buffer.byteLength(composed.text)).toBeLessThan(26_000);
  const shown = composed.text.match(/^- \[\[/gm)?.length ?? 0;
  expect(composed.text).toContain(`\n- … and ${150 - shown} older ones\n`);
  expect(composed.text).toContain(`newest first: ${shown} of 150`);
});

test("a topic of 203 notes shows the 200 newest", async () => {
  const deps = createRunDeps();
  const many = Array.from({ length: 203 }, (_, n) =>
    aMemory({
      id: `m${n}`,
      content: `Fact ${n} is true.`,
      tags: ["tea"],
      status: "promoted",
      promotedAt: n,
      vaultPath: `Fact ${n}.md`,
    }),
  );
  await fill(deps.store, many);
  const snapshot = await deps.store.snapshot();
  const [planned] = await planIndexNotes({
    view: createWorkspace({ snapshot, now: deps.clock.now(), journal: [] }).view,
    vault: createMemoryVault(),
    format: noteFormat,
    paths: [],
    isThere: () => true,
    lastWritten: async () => undefined,
  });
  const links = planned?.put.after?.text.match(/^- \[\[Fact (\d+)/gm) ?? [];
  expect(links).toHaveLength(200);
  expect(links[0]).toBe("- [[Fact 202");
  expect(links.at(-1)).toBe("- [[Fact 3");
  expect(planned?.put.after?.text).toContain("- … and 3 older ones\n");
});

test("the check finds a topic's link that leads nowhere", async () => {
  const { promote, person, deps, root } = await aVault(memories(3, ["tea"]));
  await promote();
  await person.move("Memories/Semantic/The fact with number 1 is true.md", "Elsewhere.md");
  const snapshot = await deps.store.snapshot();
  const { problems } = await checkVault({
    view: createWorkspace({ snapshot, now: deps.clock.now(), journal: [] }).view,
    vault: openNoteVault({ root }),
    format: noteFormat,
    lastWritten: async () => undefined,
  });
  expect(problems.filter((one) => one.path === TEA)).toEqual([
    {
      path: TEA,
      problem: "links to Memories/Semantic/The fact with number 1 is true, which is not there",
    },
  ]);
});
