import { expect, test } from "vitest";
import {
  createMemoryVersionControl,
  type MemoryCommit,
} from "../../../src/adapters/memory/memory-version-control.ts";
import { testVersionControl } from "../../contracts/version-control.ts";

testVersionControl("memory", async () => {
  const notes = new Map<string, string>();
  const control = createMemoryVersionControl({
    notes,
    isIgnored: (path) => path.startsWith("ignored/"),
  });
  return {
    control,
    write: async (path, text) => void notes.set(path, text),
    remove: async (path) => void notes.delete(path),
  };
});

test("memory: commits are recorded for a test to look at, and an occupied repository refuses", async () => {
  const notes = new Map([["a.md", "x"]]);
  const commits: MemoryCommit[] = [];
  const control = createMemoryVersionControl({ notes, commits });
  await control.commit({ paths: ["a.md"], message: "m", runId: "run-1" });
  expect(commits).toEqual([{ runId: "run-1", message: "m", paths: ["a.md"] }]);
  const occupied = createMemoryVersionControl({
    notes,
    state: { kind: "occupied", reason: "a merge is in progress" },
  });
  await expect(
    occupied.commit({ paths: ["a.md"], message: "m", runId: "run-1" }),
  ).rejects.toMatchObject({ code: "git" });
});
