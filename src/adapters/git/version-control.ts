import { SlowwaveError } from "../../model/errors.ts";
import { notePathSegments } from "../../model/note-path.ts";
import type {
  VersionCommit,
  VersionCommitResult,
  VersionControl,
} from "../../ports/version-control.ts";
import { statesOf } from "./changed-paths.ts";
import { gitError } from "./git-error.ts";
import { type Identity, identityOptions } from "./identity.ts";
import { withIndex } from "./index-lock.ts";
import { pushBranch } from "./push-branch.ts";
import { findRepository, type Git, type Repository, repositoryState } from "./repository-state.ts";
import { type GitAnswer, runGit } from "./run-git.ts";

export interface VersionControlOptions {
  /** The vault; it may lie anywhere inside a repository. */
  readonly root: string;
  /** Who commits. Where absent, whom git is configured for, else `slowwave <slowwave@localhost>`. */
  readonly identity?: Identity;
  /** For one git command. @default 30000 */
  readonly timeoutMs?: number;
  /** How long another git command's index lock is waited for. @default 10000 */
  readonly lockWaitMs?: number;
  /** Lets the repository's own signing settings count; off, since signing may ask for a passphrase. @default false */
  readonly sign?: boolean;
  /** Offers `push`, which has `timeoutMs` too. @default false */
  readonly push?: boolean;
}

const TRAILER = "Slowwave-Run";

/** Git, through the `git` command. */
export function openVersionControl(options: VersionControlOptions): VersionControl {
  const { root, timeoutMs = 30_000 } = options;
  const git: Git = (args, { folder = root, ...rest } = {}) =>
    runGit({ folder, args, timeoutMs, ...rest });
  return {
    state: async () => {
      const repository = await findRepository(git, root);
      return repository === undefined ? { kind: "none" } : repositoryState(git, repository);
    },
    hasRun: async (runId) => {
      const repository = await findRepository(git, root);
      return repository !== undefined && hasRun(git, runId);
    },
    commit: (commit) => commitPaths(git, options, commit),
    ...(options.push === true ? { push: () => pushBranch(git) } : {}),
  };
}

async function hasRun(git: Git, runId: string): Promise<boolean> {
  // A branch without commits has no history to search.
  if (!(await git(["rev-parse", "--verify", "--quiet", "HEAD"])).ok) return false;
  const trailer = trailerOf(runId);
  const answer = await git([
    "log",
    "-z",
    "--format=%B",
    "--no-show-signature",
    "--fixed-strings",
    `--grep=${trailer}`,
  ]);
  if (!answer.ok) throw gitError("search the history", answer);
  // grep also finds run-12 for run-1; the line decides.
  return answer.stdout.split(/[\0\n]/).includes(trailer);
}

async function commitPaths(
  git: Git,
  options: VersionControlOptions,
  commit: VersionCommit,
): Promise<VersionCommitResult> {
  const trailer = trailerOf(commit.runId);
  const repository = await readyRepository(git, options.root);
  const { prefix } = repository;
  const wanted = commit.paths.map((notePath) => prefix + notePathSegments(notePath).join("/"));
  const states = await statesOf(git, repository, [...new Set(wanted)]);
  const ignored = states.ignored.map((file) => file.slice(prefix.length));
  if (states.changed.length === 0) return { kind: "nothing", ignored };
  const message = `${commit.message.trim()}\n\n${trailer}\n`;
  const work = { repository, message, paths: states.changed, untracked: states.untracked };
  const answer = await withIndex(repository, options.lockWaitMs ?? 10_000, async () => {
    const announced = await announce(git, work);
    return announced.ok ? commitOnly(git, options, work) : announced;
  });
  if (!answer.ok) {
    await retract(git, work);
    throw gitError("commit the notes", answer);
  }
  const head = await git(["rev-parse", "HEAD"]);
  if (!head.ok) throw gitError("read the new commit", head);
  return { kind: "committed", commit: head.stdout.trim(), ignored };
}

async function readyRepository(git: Git, root: string): Promise<Repository> {
  const repository = await findRepository(git, root);
  if (repository === undefined) {
    throw new SlowwaveError("git", `git: expected ${root} in a repository, found none`, {
      hint: `Run git init in ${root}, or turn git off in the configuration.`,
    });
  }
  const state = await repositoryState(git, repository);
  if (state.kind !== "occupied") return repository;
  throw new SlowwaveError("git", `git: cannot commit: ${state.reason}`, {
    hint: "Finish or abort it; the next run commits the notes.",
  });
}

interface CommitWork {
  readonly repository: Repository;
  readonly message: string;
  readonly paths: readonly string[];
  readonly untracked: readonly string[];
}

const FROM_INPUT = ["--pathspec-from-file=-", "--pathspec-file-nul"];

/** Makes new files known without staging their content: should the commit fail, a person's next one does not take them along. */
async function announce(git: Git, { repository, untracked }: CommitWork): Promise<GitAnswer> {
  if (untracked.length === 0) return { ok: true, stdout: "" };
  return git(["add", "--intent-to-add", ...FROM_INPUT], {
    folder: repository.top,
    input: untracked.join("\0"),
  });
}

async function retract(git: Git, { repository, untracked }: CommitWork): Promise<void> {
  if (untracked.length === 0) return;
  // From the index alone; the files stay. If this fails too, the entries are empty ones, and the commit's error is what matters.
  await git(["rm", "--cached", "--force", "--quiet", "--ignore-unmatch", ...FROM_INPUT], {
    folder: repository.top,
    input: untracked.join("\0"),
  });
}

/** `--only`: exactly these paths as they are on disk, whatever else is staged, which stays staged. */
async function commitOnly(
  git: Git,
  options: VersionControlOptions,
  { repository, paths, message }: CommitWork,
): Promise<GitAnswer> {
  const signing = options.sign === true ? [] : ["--no-gpg-sign"];
  const args = ["commit", "--only", "--quiet", "--cleanup=whitespace", ...signing];
  return git([...args, `--message=${message}`, ...FROM_INPUT], {
    folder: repository.top,
    input: paths.join("\0"),
    ...(await identityOptions(git, options.identity)),
  });
}

function trailerOf(runId: string): string {
  if (/^\S+$/.test(runId)) return `${TRAILER}: ${runId}`;
  throw new SlowwaveError(
    "git",
    `git: expected a run id without spaces, got ${JSON.stringify(runId)}`,
  );
}
