import { SlowwaveError } from "../../model/errors.ts";
import type { GitAnswer } from "./run-git.ts";

const LINES = 6;

/** What git said, as an error: "git: cannot <what>: <its first lines>". */
export function gitError(what: string, answer: GitAnswer & { readonly ok: false }): SlowwaveError {
  switch (answer.why) {
    case "not_installed":
      return new SlowwaveError("git", `git: cannot ${what}: the command git was not found`, {
        hint: "Install git, or put it on the PATH of the scheduler that starts slowwave.",
      });
    case "timeout":
      return new SlowwaveError("git", `git: cannot ${what}: no answer in time`, {
        hint: "A hook, a signing agent or a remote may be waiting for a person, or the repository is very large: run it by hand in the vault to see.",
      });
    case "exit":
      return new SlowwaveError("git", `git: cannot ${what}: ${said(answer)}`, {
        hint: hintFor(`${answer.stderr}\n${answer.stdout}`),
      });
  }
}

function said({ stdout, stderr, exitCode }: GitAnswer & { readonly ok: false }): string {
  const lines = `${stderr}\n${stdout}`.split(/\r?\n/).filter((line) => line.trim() !== "");
  const text = lines.slice(0, LINES).join("; ");
  return text === "" ? `it exited with ${exitCode} and said nothing (a hook, perhaps)` : text;
}

function hintFor(output: string): string {
  if (/dubious ownership/.test(output)) {
    return "The repository belongs to another user: git config --global --add safe.directory <its folder>.";
  }
  if (/index\.lock/.test(output)) {
    return "Another git command is running, or one crashed: if none runs, remove the lock that git names.";
  }
  if (/\[rejected\]|\[remote rejected\]/.test(output)) {
    return "The remote has what is not here, or does not take it: pull in the vault; slowwave never forces.";
  }
  if (/terminal prompts disabled|Permission denied|Authentication failed|Host key/i.test(output)) {
    return "The remote asks who you are, and nobody is there to answer: set up a credential helper or an ssh key.";
  }
  return "The notes are written and wait; run git status in the vault, mend what it shows, and run slowwave again.";
}
