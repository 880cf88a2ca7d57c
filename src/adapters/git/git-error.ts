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
        hint: "A hook or a signing agent may be waiting for a person: run the commit by hand in the vault to see it.",
      });
    case "exit":
      return new SlowwaveError("git", `git: cannot ${what}: ${said(answer)}`, {
        hint: hintFor(answer.stderr),
      });
  }
}

function said({ stdout, stderr, exitCode }: GitAnswer & { readonly ok: false }): string {
  const lines = `${stderr}\n${stdout}`.split(/\r?\n/).filter((line) => line.trim() !== "");
  const text = lines.slice(0, LINES).join("; ");
  return text === "" ? `it exited with ${exitCode} and said nothing (a hook, perhaps)` : text;
}

function hintFor(stderr: string): string {
  if (/dubious ownership/.test(stderr)) {
    return "The repository belongs to another user: git config --global --add safe.directory <its folder>.";
  }
  if (/index\.lock/.test(stderr)) {
    return "Another git command is running, or one crashed: if none runs, remove the lock that git names.";
  }
  return "The notes are written and wait; run git status in the vault, mend what it shows, and run slowwave again.";
}
