import path from "node:path";
import { expect, test } from "vitest";
import { openVersionControl } from "../../../src/adapters/git/version-control.ts";
import { type ARepository, aRepository, temporaryFolder } from "./a-repository.ts";

/** Two branches that change the same line. */
async function aConflict(): Promise<ARepository> {
  const repository = await aRepository();
  const { git, write } = repository;
  await write("b.md", "one\n");
  git("add", ".");
  git("commit", "--quiet", "-m", "One");
  git("checkout", "--quiet", "-b", "side");
  await write("b.md", "two\n");
  git("commit", "--quiet", "-am", "Two");
  git("checkout", "--quiet", "main");
  await write("b.md", "three\n");
  git("commit", "--quiet", "-am", "Three");
  return repository;
}

/** Runs a git command that stops at a conflict. */
function stopAt(repository: ARepository, ...args: readonly string[]): void {
  expect(() => repository.git(...args)).toThrow();
}

test.each<[string, string, (repository: ARepository) => void]>([
  ["merge", "a merge is in progress", (it) => stopAt(it, "merge", "side")],
  ["rebase", "a rebase is in progress", (it) => stopAt(it, "rebase", "side")],
  [
    "apply rebase",
    "a rebase or patch series is in progress",
    (it) => stopAt(it, "rebase", "--apply", "side"),
  ],
  ["cherry-pick", "a cherry-pick is in progress", (it) => stopAt(it, "cherry-pick", "side")],
  ["revert", "a revert is in progress", (it) => stopAt(it, "revert", "--no-edit", "side")],
  ["bisect", "a bisect is in progress", (it) => void it.git("bisect", "start")],
  [
    "detached HEAD",
    "no branch is checked out (detached HEAD)",
    (it) => void it.git("checkout", "--quiet", "--detach"),
  ],
  [
    "unmerged paths",
    "some files have unresolved conflicts",
    (it) => {
      stopAt(it, "merge", "side");
      it.git("update-ref", "-d", "MERGE_HEAD");
    },
  ],
])(
  "during %s the repository is occupied and a commit is refused, and nothing changes",
  async (_, reason, begin) => {
    const repository = await aConflict();
    begin(repository);
    const { root, git, write } = repository;
    await write("a.md", "x");
    const before = [git("status", "--porcelain"), git("rev-parse", "HEAD")];
    const control = openVersionControl({ root });
    expect(await control.state()).toEqual({ kind: "occupied", reason });
    await expect(
      control.commit({ paths: ["a.md"], message: "m", runId: "run-1" }),
    ).rejects.toMatchObject({
      code: "git",
      message: `git: cannot commit: ${reason}`,
    });
    expect([git("status", "--porcelain"), git("rev-parse", "HEAD")]).toEqual(before);
  },
);

test("a merge in the main work tree does not occupy another one", async () => {
  const repository = await aConflict();
  const root = path.join(await temporaryFolder(), "notes");
  repository.git("worktree", "add", "--quiet", "-b", "notes", root);
  stopAt(repository, "merge", "side");
  const control = openVersionControl({ root });
  expect(await control.state()).toEqual({ kind: "ready" });
});
