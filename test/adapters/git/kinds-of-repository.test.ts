import { execFileSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { openVersionControl } from "../../../src/adapters/git/version-control.ts";
import { aRepository, temporaryFolder } from "./a-repository.ts";

const commit = { paths: ["a.md"], message: "Promote 1 memory", runId: "run-1" };

test("a vault that is a submodule commits to the submodule, and leaves the repository around it alone", async () => {
  const inner = await aRepository();
  await inner.write("theirs.md", "x");
  inner.git("add", ".");
  inner.git("commit", "--quiet", "-m", "Theirs");
  const outer = await aRepository();
  outer.git("-c", "protocol.file.allow=always", "submodule", "add", "--quiet", inner.root, "notes");
  outer.git("commit", "--quiet", "-m", "Notes");
  const root = path.join(outer.root, "notes");
  await outer.write("notes/a.md", "x");
  const control = openVersionControl({ root });
  expect(await control.state()).toEqual({ kind: "ready" });
  await control.commit(commit);
  expect(outer.git("-C", root, "log", "-1", "--format=%s")).toBe("Promote 1 memory\n");
  expect(outer.git("log", "--format=%s")).toBe("Notes\n");
});

test("a vault that is another work tree commits to the branch there", async () => {
  const { git, write } = await aRepository();
  await write("theirs.md", "x");
  git("add", ".");
  git("commit", "--quiet", "-m", "Theirs");
  const root = path.join(await temporaryFolder(), "notes");
  git("worktree", "add", "--quiet", "-b", "notes", root);
  await writeFile(path.join(root, "a.md"), "x");
  await openVersionControl({ root }).commit(commit);
  expect(git("log", "--format=%s", "notes")).toBe("Promote 1 memory\nTheirs\n");
  expect(git("log", "--format=%s", "main")).toBe("Theirs\n");
});

test("a vault inside a bare repository is in none", async () => {
  const { git } = await aRepository();
  const root = path.join(await temporaryFolder(), "bare.git");
  git("init", "--quiet", "--bare", root);
  expect(await openVersionControl({ root }).state()).toEqual({ kind: "none" });
});

test("a repository so large that git does not answer in time is an error that says so", async () => {
  const { root, write } = await aRepository();
  await write("a.md", "x");
  const folder = await temporaryFolder();
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const script = `#!/bin/sh\ncase "$*" in *status*) exec sleep 15;; esac\nexec ${real} "$@"\n`;
  await writeFile(path.join(folder, "git"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${folder}${path.delimiter}${process.env.PATH}`);
  await expect(openVersionControl({ root, timeoutMs: 1000 }).commit(commit)).rejects.toMatchObject({
    message: "git: cannot read the status: no answer in time",
    hint: expect.stringContaining("very large"),
  });
});
