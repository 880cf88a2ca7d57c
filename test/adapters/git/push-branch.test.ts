import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openVersionControl } from "../../../src/adapters/git/version-control.ts";
import { type ARepository, aRepository, temporaryFolder } from "./a-repository.ts";

/** A repository with one commit, and an empty one on this machine as its remote `origin`. */
async function withRemote(): Promise<
  ARepository & { readonly remote: string; log(branch?: string): string }
> {
  const repository = await aRepository();
  const remote = path.join(await temporaryFolder(), "notes.git");
  repository.git("init", "--quiet", "--bare", "--initial-branch=main", remote);
  repository.git("remote", "add", "origin", remote);
  await repository.write("theirs.md", "x");
  repository.git("add", ".");
  repository.git("commit", "--quiet", "-m", "Theirs");
  const log = (branch = "main"): string =>
    execFileSync("git", ["--git-dir", remote, "log", "--format=%s", branch], { encoding: "utf8" });
  return { ...repository, remote, log };
}

test("nothing can be pushed unless it is asked for", async () => {
  const { root } = await withRemote();
  expect(openVersionControl({ root }).push).toBeUndefined();
});

test("push sends the branch to origin, and does not set what it tracks", async () => {
  const { root, git, log } = await withRemote();
  await openVersionControl({ root, push: true }).push?.();
  expect(log()).toBe("Theirs\n");
  expect(() => git("rev-parse", "--abbrev-ref", "@{upstream}")).toThrow();
});

test("push sends the branch to the remote and branch that it tracks", async () => {
  const { root, git, log } = await withRemote();
  git("remote", "rename", "origin", "backup");
  git("push", "--quiet", "--set-upstream", "backup", "main:from-laptop");
  git("commit", "--quiet", "--allow-empty", "-m", "Second");
  await openVersionControl({ root, push: true }).push?.();
  expect(log("from-laptop")).toBe("Second\nTheirs\n");
  expect(() => log("main")).toThrow();
});

test("push never forces: what another machine pushed stays, and the error says to pull", async () => {
  const { root, git, log } = await withRemote();
  git("push", "--quiet", "origin", "main");
  git("commit", "--quiet", "--allow-empty", "-m", "Elsewhere");
  git("push", "--quiet", "origin", "main");
  git("reset", "--quiet", "--hard", "HEAD~1");
  git("commit", "--quiet", "--allow-empty", "-m", "Here");
  git("config", "remote.origin.push", "+refs/heads/*:refs/heads/*");
  await expect(openVersionControl({ root, push: true }).push?.()).rejects.toMatchObject({
    code: "git",
    message: expect.stringContaining("cannot push to origin"),
    hint: expect.stringContaining("pull"),
  });
  expect(log()).toBe("Elsewhere\nTheirs\n");
});

test("push without a remote is an error that names it", async () => {
  const { root, git } = await withRemote();
  git("remote", "remove", "origin");
  await expect(openVersionControl({ root, push: true }).push?.()).rejects.toMatchObject({
    message: "git: cannot push main: there is no remote origin",
    hint: expect.stringContaining("git.push"),
  });
});

test("a remote that asks for a password is an error at once, and asks nobody", async () => {
  const { root, git } = await withRemote();
  const server = createServer((_, response) =>
    response.writeHead(401, { "WWW-Authenticate": "Basic realm=notes" }).end(),
  );
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  // A server that listens on a port has the address of one.
  const { port } = server.address() as AddressInfo;
  git("remote", "set-url", "origin", `http://127.0.0.1:${port}/notes.git`);
  await expect(openVersionControl({ root, push: true }).push?.()).rejects.toMatchObject({
    message: expect.stringContaining("terminal prompts disabled"),
    hint: expect.stringContaining("credential helper"),
  });
});

test("a push that never ends is stopped", async () => {
  const { root, hook } = await withRemote();
  await hook("pre-push", "exec sleep 15");
  await expect(
    openVersionControl({ root, push: true, timeoutMs: 1000 }).push?.(),
  ).rejects.toMatchObject({ message: expect.stringContaining("no answer in time") });
});
