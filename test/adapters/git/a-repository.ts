import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished, vi } from "vitest";

/** A real folder, removed after the test. */
export async function temporaryFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "slowwave-git-")));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Hides the machine's and the user's git configuration from the test, and from the code under test. */
export function isolateGit(configuration = "/dev/null"): void {
  vi.stubEnv("GIT_CONFIG_GLOBAL", configuration);
  vi.stubEnv("GIT_CONFIG_SYSTEM", "/dev/null");
  vi.stubEnv("HOME", "/nonexistent");
  vi.stubEnv("XDG_CONFIG_HOME", "/nonexistent");
}

export interface ARepository {
  readonly root: string;
  /** Runs git by hand, as a person would, and gives what it printed. */
  git(...args: readonly string[]): string;
  write(file: string, text: string): Promise<void>;
  hook(name: string, script: string): Promise<void>;
}

/** A fresh repository on branch `main`, without commits, whose person is Ann. */
export async function aRepository(): Promise<ARepository> {
  isolateGit();
  const root = await temporaryFolder();
  const git = (...args: readonly string[]): string =>
    execFileSync("git", args, {
      cwd: root,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      env: {
        ...process.env,
        GIT_AUTHOR_NAME: "Ann",
        GIT_AUTHOR_EMAIL: "ann@example.com",
        GIT_COMMITTER_NAME: "Ann",
        GIT_COMMITTER_EMAIL: "ann@example.com",
      },
    });
  git("init", "--quiet", "--initial-branch=main");
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  };
  const hook = async (name: string, script: string): Promise<void> => {
    await write(`.git/hooks/${name}`, `#!/bin/sh\n${script}\n`);
    await chmod(path.join(root, ".git/hooks", name), 0o755);
  };
  return { root, git, write, hook };
}
