import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { SlowwaveError } from "../../model/errors.ts";
import { exists, type Repository } from "./repository-state.ts";
import type { GitAnswer } from "./run-git.ts";

const STEP_MS = 100;

/**
 * Runs a command that writes the index, once no other git command holds it. The lock is never removed: who made it may be in the middle
 * of a write.
 */
export async function withIndex(
  { gitFolder }: Repository,
  waitMs: number,
  act: () => Promise<GitAnswer>,
): Promise<GitAnswer> {
  const lock = path.join(gitFolder, "index.lock");
  for (let leftMs = waitMs; ; leftMs -= STEP_MS) {
    if (!(await exists(lock))) {
      const answer = await act();
      // Another command was quicker than this one.
      if (answer.ok || !/index\.lock': File exists/.test(answer.stderr)) return answer;
    }
    if (leftMs <= 0) {
      throw new SlowwaveError("git", `git: cannot commit: another git command holds ${lock}`, {
        hint: "If no git command is running, a crash left it: remove it by hand.",
      });
    }
    await wait(STEP_MS);
  }
}
