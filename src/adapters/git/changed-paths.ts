import { gitError } from "./git-error.ts";
import type { Git, Repository } from "./repository-state.ts";

export interface PathStates {
  /** Differ from the last commit, new and removed ones included. Relative to the top of the repository. */
  readonly changed: readonly string[];
  /** Those of `changed` that git does not know yet. */
  readonly untracked: readonly string[];
  readonly ignored: readonly string[];
}

/** Command lines are limited (32,767 characters on Windows); one status call takes as many paths as fit. */
const MAX_CHARACTERS = 16_000;

/** How git sees some paths, given relative to the top; what exists neither on disk nor in the last commit is in no list. */
export async function statesOf(
  git: Git,
  repository: Repository,
  paths: readonly string[],
): Promise<PathStates> {
  const entries: (readonly [string, string])[] = [];
  for (const chunk of chunked(paths)) {
    const answer = await git([...STATUS, "--", ...chunk], { folder: repository.top });
    if (!answer.ok) throw gitError("read the status", answer);
    entries.push(...parseStatus(answer.stdout));
  }
  const wanted = new Set(paths);
  const only = (test: (state: string) => boolean): readonly string[] =>
    entries.filter(([state, path]) => test(state) && wanted.has(path)).map(([, path]) => path);
  return {
    changed: only((state) => state !== IGNORED),
    untracked: only((state) => state === UNTRACKED),
    ignored: only((state) => state === IGNORED),
  };
}

const UNTRACKED = "??";
const IGNORED = "!!";

// Every flag that the user's configuration could turn is given: without -uall and traditional, a new folder is one entry.
const STATUS = [
  "status",
  "--porcelain=v1",
  "-z",
  "--untracked-files=all",
  "--ignored=traditional",
  "--no-renames",
];

/** `XY path`, ended by NUL; paths are relative to the top. */
function parseStatus(stdout: string): readonly (readonly [string, string])[] {
  return stdout
    .split("\0")
    .filter((entry) => entry !== "")
    .map((entry) => [entry.slice(0, 2), entry.slice(3)]);
}

function chunked(paths: readonly string[]): readonly (readonly string[])[] {
  const chunks: string[][] = [];
  let room = 0;
  for (const path of paths) {
    if (path.length + 3 > room || chunks.length === 0) {
      chunks.push([]);
      room = MAX_CHARACTERS;
    }
    chunks.at(-1)?.push(path);
    room -= path.length + 3;
  }
  return chunks;
}
