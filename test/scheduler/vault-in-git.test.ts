import { rm } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { undoRun } from "../../src/scheduler/undo/undo-run.ts";
import { temporaryFolder } from "../adapters/git/a-repository.ts";
import { aVault } from "./a-vault.ts";

const BOTH = [
  { id: "m", content: "Maria is allergic to penicillin." },
  { id: "c", content: "The clinic opens at nine." },
];

test("the commit of a run says what became of notes, and an undo's which run it takes back", async () => {
  const { promote, deps, git } = await aVault(BOTH);
  const { run } = await promote();
  expect(git("log", "-1", "--format=%B")).toBe(
    `Update 2 notes from memory\n\n2 promoted\n\nSlowwave-Run: ${run.id}\n\n`,
  );
  const undo = await undoRun(deps, run.id);
  expect(git("log", "-1", "--format=%s%n%(trailers:key=Slowwave-Run,valueonly)")).toMatch(
    new RegExp(`^Undo run ${run.id}: take back \\d notes\n${undo.run.id}\n`),
  );
  expect(git("status", "--porcelain").trim()).toBe("?? Mine.md");
});

test("a push that fails is reported and made up for by the next run, with all that is owed", async () => {
  const { promote, run, change, deps, git } = await aVault(BOTH, { push: true });
  const remote = path.join(await temporaryFolder(), "notes.git");
  git("remote", "add", "origin", remote);
  const first = await promote();
  expect(first.run.status).toBe("completed");
  expect(first.notes.join()).toContain("committed and not pushed, the next run tries again");
  await change("m", { tags: ["health"] });
  await run();
  expect((await deps.store.read("outbox")).map(({ state }) => state)).toEqual(["open", "open"]);
  git("init", "--quiet", "--bare", remote);
  expect((await run()).notes.filter((note) => note.startsWith("git:"))).toEqual([]);
  expect((await deps.store.read("outbox")).map(({ state }) => state)).toEqual(["done", "done"]);
  expect(git("rev-parse", "origin/main")).toBe(git("rev-parse", "main"));
  await rm(remote, { recursive: true });
  expect((await run()).notes.filter((note) => note.startsWith("git:"))).toEqual([]);
});

test("nothing is pushed where that is not configured", async () => {
  const { promote, git } = await aVault(BOTH);
  const remote = path.join(await temporaryFolder(), "notes.git");
  git("init", "--quiet", "--bare", remote);
  git("remote", "add", "origin", remote);
  await promote();
  expect(git("ls-remote", "origin")).toBe("");
});
