import { readFileSync } from "node:fs";
import { mkdir, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { openVersionControl } from "../../../src/adapters/git/version-control.ts";
import { testVersionControl } from "../../contracts/version-control.ts";
import { aRepository, isolateGit, temporaryFolder } from "./a-repository.ts";

const commit = { paths: ["a.md"], message: "Promote 1 memory", runId: "run-1" };

testVersionControl("git", async () => {
  const { root, write } = await aRepository();
  await write(".gitignore", "ignored/\n");
  return {
    control: openVersionControl({ root }),
    write,
    remove: (file) => rm(path.join(root, file)),
  };
});

test("commit takes its own paths alone: what else is staged or changed stays as it was", async () => {
  const { root, git, write } = await aRepository();
  await write("theirs.md", "one");
  await write("staged.md", "one");
  git("add", ".");
  git("commit", "--quiet", "-m", "Theirs");
  await write("theirs.md", "two");
  await write("staged.md", "two");
  await write("new-staged.md", "x");
  await write("untracked.md", "x");
  git("add", "staged.md", "new-staged.md");
  await write("staged.md", "three");
  const before = git("status", "--porcelain", "-uall");
  await write("a.md", "ours");
  await openVersionControl({ root }).commit(commit);
  expect(git("show", "--name-only", "--format=", "HEAD")).toBe("a.md\n");
  expect(git("status", "--porcelain", "-uall")).toBe(before);
  expect(git("show", ":staged.md")).toBe("two");
});

test("commit writes the message with its trailer, as git reads trailers", async () => {
  const { root, git, write } = await aRepository();
  await write("a.md", "x");
  await openVersionControl({ root }).commit({ ...commit, message: "#1 note\n\nWhy: it was used." });
  expect(git("log", "-1", "--format=%s|%(trailers:key=Slowwave-Run,valueonly)")).toBe(
    "#1 note|run-1\n\n",
  );
});

test("commit works for a vault in a folder of the repository, and leaves the rest of it alone", async () => {
  const { root, git, write } = await aRepository();
  await write("code.ts", "x");
  await write("notes/vault/Memories/ü 🎉 [x].md", "x");
  await write("notes/vault/other.md", "x");
  const control = openVersionControl({ root: path.join(root, "notes/vault") });
  expect(await control.state()).toEqual({ kind: "ready" });
  const result = await control.commit({ ...commit, paths: ["Memories/ü 🎉 [x].md"] });
  expect(result.kind).toBe("committed");
  expect(git("ls-tree", "-rz", "--name-only", "HEAD")).toBe("notes/vault/Memories/ü 🎉 [x].md\0");
  expect(await control.hasRun("run-1")).toBe(true);
});

test("commit takes a path with pathspec magic for the file of that name", async () => {
  const { root, git, write } = await aRepository();
  await write("*.md", "x");
  await write("b.md", "x");
  await openVersionControl({ root }).commit({ ...commit, paths: ["*.md"] });
  expect(git("ls-tree", "-r", "--name-only", "HEAD")).toBe("*.md\n");
});

test("commit takes more paths than fit on one command line", async () => {
  const { root, git, write } = await aRepository();
  const paths = Array.from(
    { length: 700 },
    (_, index) => `Memories/Semantic/A note with a long name ${index}.md`,
  );
  for (const file of paths) await write(file, "x");
  await openVersionControl({ root }).commit({ ...commit, paths });
  expect(git("ls-tree", "-r", "--name-only", "HEAD").trim().split("\n")).toHaveLength(700);
});

test("commit includes a tracked note that a later .gitignore covers, and never adds an ignored one", async () => {
  const { root, git, write } = await aRepository();
  await write("Memories/a.md", "x");
  git("add", ".");
  git("commit", "--quiet", "-m", "Theirs");
  await write(".gitignore", "Memories/\n");
  await write("Memories/a.md", "y");
  await write("Memories/b.md", "y");
  const result = await openVersionControl({ root }).commit({
    ...commit,
    paths: ["Memories/a.md", "Memories/b.md"],
  });
  expect(result).toMatchObject({ kind: "committed", ignored: ["Memories/b.md"] });
  expect(git("ls-tree", "-r", "--name-only", "HEAD")).toBe("Memories/a.md\n");
});

test("commit uses its own name where git has none, the configured one, or the one it was given", async () => {
  const { root, git, write } = await aRepository();
  const author = (): string => git("log", "-1", "--format=%an <%ae> %cn");
  await write("a.md", "1");
  await openVersionControl({ root }).commit(commit);
  expect(author()).toBe("slowwave <slowwave@localhost> slowwave\n");
  git("config", "user.name", "Ann");
  git("config", "user.email", "ann@example.com");
  await write("a.md", "2");
  await openVersionControl({ root }).commit(commit);
  expect(author()).toBe("Ann <ann@example.com> Ann\n");
  git("config", "author.name", "Someone");
  await write("a.md", "3");
  await openVersionControl({ root, identity: { name: "Bot", email: "bot@example.com" } }).commit(
    commit,
  );
  expect(author()).toBe("Bot <bot@example.com> Bot\n");
});

test("commit does not sign, whatever is configured, unless it may", async () => {
  const { root, git, write } = await aRepository();
  git("config", "commit.gpgsign", "true");
  git("config", "gpg.program", "/bin/false");
  await write("a.md", "1");
  expect(await openVersionControl({ root }).commit(commit)).toMatchObject({ kind: "committed" });
  await write("a.md", "2");
  await expect(openVersionControl({ root, sign: true }).commit(commit)).rejects.toMatchObject({
    code: "git",
    message: expect.stringContaining("gpg failed to sign"),
  });
});

test("a hook runs, and one that refuses is an error with its words that leaves nothing staged", async () => {
  const { root, git, write, hook } = await aRepository();
  await hook("pre-commit", "echo 'no notes on Sunday' >&2; exit 1");
  await write("a.md", "x");
  const before = git("status", "--porcelain");
  await expect(openVersionControl({ root }).commit(commit)).rejects.toMatchObject({
    code: "git",
    message: "git: cannot commit the notes: no notes on Sunday",
  });
  expect(git("status", "--porcelain")).toBe(before);
});

test("a hook that refuses without a word is an error too", async () => {
  const { root, write, hook } = await aRepository();
  await hook("pre-commit", "exit 1");
  await write("a.md", "x");
  const control = openVersionControl({ root });
  await expect(control.commit(commit)).rejects.toMatchObject({
    message: expect.stringContaining("said nothing (a hook, perhaps)"),
  });
  expect(await control.hasRun("run-1")).toBe(false);
});

test("a hook that asks a question reads the end of its input at once", async () => {
  const { root, write, hook } = await aRepository();
  await hook("pre-commit", 'read answer; test -z "$answer"');
  await write("a.md", "x");
  expect(await openVersionControl({ root }).commit(commit)).toMatchObject({ kind: "committed" });
});

test("a hook that never ends is stopped, and leaves no lock and no commit", async () => {
  const { root, git, write, hook } = await aRepository();
  await hook("pre-commit", "exec sleep 15");
  await write("a.md", "x");
  await expect(openVersionControl({ root, timeoutMs: 1000 }).commit(commit)).rejects.toMatchObject({
    code: "git",
    message: expect.stringContaining("no answer in time"),
  });
  await expect(stat(path.join(root, ".git/index.lock"))).rejects.toMatchObject({ code: "ENOENT" });
  expect(git("status", "--porcelain")).toBe("?? a.md\n");
});

test("commit waits for another git command's lock, and gives up in time without removing it", async () => {
  const { root, write } = await aRepository();
  await write("a.md", "x");
  const lock = path.join(root, ".git/index.lock");
  await writeFile(lock, "");
  await expect(openVersionControl({ root, lockWaitMs: 200 }).commit(commit)).rejects.toMatchObject({
    code: "git",
    message: expect.stringContaining(lock),
    hint: expect.stringContaining("by hand"),
  });
  expect(readFileSync(lock, "utf8")).toBe("");
  const waiting = openVersionControl({ root, lockWaitMs: 20_000 }).commit(commit);
  setTimeout(() => void rm(lock), 300);
  expect(await waiting).toMatchObject({ kind: "committed" });
});

test("the variables that a git hook sets do not lead to another repository", async () => {
  const { root, git, write } = await aRepository();
  vi.stubEnv("GIT_DIR", "/nowhere/.git");
  vi.stubEnv("GIT_INDEX_FILE", "/nowhere/index");
  vi.stubEnv("EDITOR", "false");
  await write("a.md", "x");
  expect(await openVersionControl({ root }).commit(commit)).toMatchObject({ kind: "committed" });
  vi.unstubAllEnvs();
  isolateGit();
  expect(git("log", "--format=%s")).toBe("Promote 1 memory\n");
});

test("the user's status settings do not change what is seen", async () => {
  const { root, git, write } = await aRepository();
  git("config", "status.showUntrackedFiles", "no");
  git("config", "status.short", "true");
  git("config", "core.quotePath", "true");
  git("config", "log.showSignature", "true");
  await write("ü/a.md", "x");
  const control = openVersionControl({ root });
  expect(await control.commit({ ...commit, paths: ["ü/a.md"] })).toMatchObject({
    kind: "committed",
  });
  expect(await control.hasRun("run-1")).toBe(true);
});

test("an empty path list commits nothing, even where everything is staged", async () => {
  const { root, git, write } = await aRepository();
  await write("theirs.md", "x");
  git("add", ".");
  expect(await openVersionControl({ root }).commit({ ...commit, paths: [] })).toEqual({
    kind: "nothing",
    ignored: [],
  });
  expect(git("status", "--porcelain")).toBe("A  theirs.md\n");
});

test("a folder in no repository has state none and no run, and its commit is an error", async () => {
  isolateGit();
  const root = await temporaryFolder();
  const control = openVersionControl({ root });
  expect(await control.state()).toEqual({ kind: "none" });
  expect(await control.hasRun("run-1")).toBe(false);
  await expect(control.commit(commit)).rejects.toMatchObject({
    code: "git",
    hint: expect.stringContaining("git init"),
  });
  expect(await openVersionControl({ root: path.join(root, "gone") }).state()).toEqual({
    kind: "none",
  });
});

test("without the git command, a vault in no repository needs none, and one in a repository is an error", async () => {
  const { root } = await aRepository();
  const outside = await temporaryFolder();
  vi.stubEnv("PATH", "/nonexistent");
  expect(await openVersionControl({ root: outside }).state()).toEqual({ kind: "none" });
  await expect(openVersionControl({ root }).state()).rejects.toMatchObject({
    message: expect.stringContaining("the command git was not found"),
  });
});

test("reading the state leaves the index as it is", async () => {
  const { root, git, write } = await aRepository();
  await write("a.md", "x");
  git("add", ".");
  await mkdir(path.join(root, "b"));
  // The same text with another time is what a refresh of the index would write down.
  await write("a.md", "x");
  const before = await stat(path.join(root, ".git/index"), { bigint: true });
  const control = openVersionControl({ root });
  await control.state();
  await control.hasRun("run-1");
  await control.commit({ ...commit, paths: ["none.md"] });
  const after = await stat(path.join(root, ".git/index"), { bigint: true });
  expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
});
