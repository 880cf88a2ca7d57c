import { access, stat } from "node:fs/promises";
import path from "node:path";
import type { RepositoryState } from "../../ports/version-control.ts";
import { gitError } from "./git-error.ts";
import type { GitAnswer } from "./run-git.ts";

/** Runs git in a folder (the vault where not given). */
export type Git = (
  args: readonly string[],
  options?: {
    readonly folder?: string;
    readonly input?: string;
    readonly config?: readonly string[];
    readonly environment?: Readonly<Record<string, string>>;
  },
) => Promise<GitAnswer>;

/** The repository around a vault. */
export interface Repository {
  readonly top: string;
  readonly gitFolder: string;
  /** From the top to the vault: empty, or ended by `/`. */
  readonly prefix: string;
}

/** `undefined`: the vault lies in no repository. */
export async function findRepository(git: Git, root: string): Promise<Repository | undefined> {
  if (!(await isFolder(root))) return undefined;
  const args = ["rev-parse", "--show-toplevel", "--absolute-git-dir", "--show-prefix"];
  const answer = await git(args);
  if (answer.ok) {
    const [top = "", gitFolder = "", prefix = ""] = answer.stdout.split("\n");
    return { top, gitFolder, prefix };
  }
  // In the language set for every command; "dubious ownership" and the like are not this.
  // A bare repository has no files, so none of the vault's either.
  if (/not a git repository|must be run in a work tree/i.test(answer.stderr)) return undefined;
  if (answer.why === "not_installed" && !(await hasGitFolder(root))) return undefined;
  throw gitError("look at the repository", answer);
}

export async function repositoryState(git: Git, repository: Repository): Promise<RepositoryState> {
  for (const [file, reason] of IN_PROGRESS) {
    if (await exists(path.join(repository.gitFolder, file))) return occupied(reason);
  }
  const unmerged = await git(["ls-files", "--unmerged", "-z"], { folder: repository.top });
  if (!unmerged.ok) throw gitError("list unmerged files", unmerged);
  if (unmerged.stdout !== "") return occupied("some files have unresolved conflicts");
  const branch = await git(["symbolic-ref", "--quiet", "HEAD"]);
  if (!branch.ok && branch.why !== "exit") throw gitError("read the branch", branch);
  if (!branch.ok) return occupied("no branch is checked out (detached HEAD)");
  return { kind: "ready" };
}

/** Files that git keeps in the folder of a work tree while something is under way. */
const IN_PROGRESS: readonly (readonly [string, string])[] = [
  ["MERGE_HEAD", "a merge is in progress"],
  ["rebase-merge", "a rebase is in progress"],
  ["rebase-apply", "a rebase or patch series is in progress"],
  ["CHERRY_PICK_HEAD", "a cherry-pick is in progress"],
  ["REVERT_HEAD", "a revert is in progress"],
  ["sequencer", "a series of cherry-picks or reverts is in progress"],
  ["BISECT_LOG", "a bisect is in progress"],
];

function occupied(reason: string): RepositoryState {
  return { kind: "occupied", reason };
}

async function hasGitFolder(root: string): Promise<boolean> {
  if (await exists(path.join(root, ".git"))) return true;
  const parent = path.dirname(root);
  return parent !== root && hasGitFolder(parent);
}

async function isFolder(folder: string): Promise<boolean> {
  return (await exists(folder)) && (await stat(folder)).isDirectory();
}

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
