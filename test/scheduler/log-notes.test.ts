import { expect, test } from "vitest";
import { createMemoryVault } from "../../src/adapters/memory/memory-vault.ts";
import { HOUR_MS } from "../../src/model/instant.ts";
import { planIndexNotes } from "../../src/scheduler/index-notes.ts";
import { runPipeline } from "../../src/scheduler/run-pipeline.ts";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { createWorkspace } from "../../src/scheduler/workspace.ts";
import { aMemory } from "../builders.ts";
import { noteFormat } from "../note-formats.ts";
import { aVault, stepsOf } from "./a-vault.ts";
import { createRunDeps, fill } from "./run-deps.ts";

const LOG = "Memories/Log/2026-03.md";
const BOTH = [
  { id: "m", content: "Maria is allergic to penicillin." },
  { id: "c", content: "The clinic opens at nine." },
];

const later = (deps: Awaited<ReturnType<typeof aVault>>["deps"], hours: number) => ({
  ...deps,
  clock: { now: () => deps.clock.now() + hours * HOUR_MS },
});

test("the log of a month tells what each run promoted, merged and archived, and a second run adds nothing", async () => {
  const { promote, run, person, deps, change } = await aVault(BOTH, { format: noteFormat });
  expect(stepsOf(await promote())).toContain("write_log applied");
  const at = deps.clock.now() + HOUR_MS;
  await change("m", {
    status: "archived",
    archivedAt: at,
    archivedReason: "merged",
    supersededBy: "c",
  });
  expect(stepsOf(await runPipeline(later(deps, 1)))).toEqual([
    "archive_note applied",
    "update_log applied",
  ]);
  const [body] = (await person.read(LOG)).split("\n\n> [!info]");
  expect(body?.split("%% slowwave:begin %%\n\n")[1]).toBe(
    [
      "## 2026-03-02 10:00\n",
      "- [[Memories/Semantic/The clinic opens at nine|The clinic opens at nine]]: merged from 1",
      "- [[Memories/Archive/Maria is allergic to penicillin|Maria is allergic to penicillin]]: archived, merged into another",
      "\n## 2026-03-02 09:00\n",
      "- [[Memories/Semantic/The clinic opens at nine|The clinic opens at nine]]: promoted (asked for by a person, score 1.00)",
      "- [[Memories/Archive/Maria is allergic to penicillin|Maria is allergic to penicillin]]: promoted (asked for by a person, score 1.00)",
    ].join("\n"),
  );
  expect(stepsOf(await run())).toEqual([]);
  await person.delete("Memories/Archive/Maria is allergic to penicillin.md");
  expect(stepsOf(await run())).toEqual(["update_log applied"]);
  expect(await person.read(LOG)).toContain("- Maria is allergic to penicillin: archived, merged");
});

test("what a run that was undone did is not told any more", async () => {
  const { promote, run, person, deps } = await aVault(BOTH, { format: noteFormat });
  const { run: first } = await promote();
  expect((await undoRun(deps, first.id)).refused).toEqual([]);
  await run();
  expect((await person.notes()).filter((note) => note.startsWith("Memories/Log"))).toEqual([]);
});

test("a log that a person deleted or changed is left alone, and what they add around it stays", async () => {
  const { promote, run, person, change } = await aVault(BOTH, { format: noteFormat });
  await promote();
  await person.edit(LOG, /$/, "\nA good month.\n");
  await person.delete("Memories/Semantic/The clinic opens at nine.md");
  await run();
  const text = await person.read(LOG);
  expect(text).not.toContain("clinic");
  expect(text.endsWith("\nA good month.\n")).toBe(true);
  await person.edit(LOG, "promoted (", "promoted at last (");
  const edited = await person.read(LOG);
  await change("m", { extra: { title: "Another title" } });
  await run();
  expect(await person.read(LOG)).toBe(edited);
  await person.delete(LOG);
  await run();
  expect(await person.notes()).not.toContain(LOG);
});

test("the log of a month of many promotions keeps to its budget, the newest first, and counts the rest", async () => {
  const deps = createRunDeps();
  const many = Array.from({ length: 230 }, (_, n) =>
    aMemory({
      id: `m${n}`,
      content: `Fact ${n} is true.`,
      status: "promoted",
      promotedAt: Date.UTC(2026, 2, 1, 0, n),
      promotedWhy: "score 0.90",
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
  const text = planned?.put.after?.text ?? "";
  expect(text.match(/^- \[\[/gm)).toHaveLength(50);
  expect(text).toContain("- [[Fact 229|Fact 229 is true]]: promoted (score 0.90)");
  expect(text).toContain("\n- … and 180 older ones\n");
});
