import type { SimpleGitOptions } from "simple-git";

export interface GitCommand {
  readonly folder: string;
  readonly args: readonly string[];
  /** Given on standard input, which is closed after it. Without it git, a hook or a signing agent reads the end of the file at once. */
  readonly input?: string;
  /** `key=value`, for this command alone. */
  readonly config?: readonly string[];
  /** Beside the caller's environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

export type GitAnswer =
  | { readonly ok: true; readonly stdout: string }
  | {
      readonly ok: false;
      readonly why: "exit" | "timeout" | "not_installed";
      readonly exitCode: number;
      readonly stdout: string;
      readonly stderr: string;
    };

/** One git command. Never throws for what git says: an answer carries it. */
export async function runGit(command: GitCommand): Promise<GitAnswer> {
  // Every command opens the vault where one is configured, and few of them ask git anything.
  const { simpleGit } = await import("simple-git");
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), command.timeoutMs);
  let failed: GitAnswer | undefined;
  const options: Partial<SimpleGitOptions> = {
    baseDir: command.folder,
    abort: stop.signal,
    config: [...(command.config ?? [])],
    allowEnvironment: [...KEPT, ...Object.keys(FIXED), ...Object.keys(command.environment ?? {})],
    // The user's own choice of configuration files is theirs to make; we never set it. Of ssh we only say that it may not ask.
    unsafe: { allowUnsafeConfigPaths: true, allowUnsafeSshCommand: true },
    input: () => Buffer.from(command.input ?? ""),
    // simple-git takes a failure that prints nothing (a quiet hook) for success. The exit code alone decides here.
    errors: (error, { exitCode, stdOut, stdErr }) => {
      if (exitCode === 0 && error === undefined) return undefined;
      failed = failure({ exitCode, stdOut, stdErr, isTimeout: stop.signal.aborted });
      return error ?? new Error(`git exited with ${exitCode}`);
    },
  };
  try {
    const git = simpleGit(options).env(environment(command.environment));
    return { ok: true, stdout: await git.raw([...command.args]) };
  } catch (error) {
    if (failed === undefined) throw error;
    return failed;
  } finally {
    clearTimeout(timer);
  }
}

function failure(result: {
  readonly exitCode: number;
  readonly stdOut: readonly Buffer[];
  readonly stdErr: readonly Buffer[];
  readonly isTimeout: boolean;
}): GitAnswer {
  const stdout = Buffer.concat(result.stdOut).toString("utf8");
  const stderr = Buffer.concat(result.stdErr).toString("utf8");
  const isMissing = /spawn \S* ?ENOENT/.test(stderr);
  const why = result.isTimeout ? "timeout" : isMissing ? "not_installed" : "exit";
  return { ok: false, why, exitCode: result.exitCode, stdout, stderr };
}

/**
 * Variables of git that are the user's configuration. The rest (`GIT_DIR`, `GIT_INDEX_FILE`, …) is set while a git hook runs, and would
 * make us work on another repository than the vault's.
 */
const KEPT = [
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
  "GIT_AUTHOR_NAME",
  "GIT_AUTHOR_EMAIL",
  "GIT_COMMITTER_NAME",
  "GIT_COMMITTER_EMAIL",
  "GIT_SSH",
  "GIT_SSH_COMMAND",
];

const FIXED: Readonly<Record<string, string>> = {
  // Messages are read below, so they have to be in one language.
  LC_ALL: "C",
  // No question is ever asked, on no terminal.
  GIT_TERMINAL_PROMPT: "0",
  // Reading the state must not write the index, not even to refresh it.
  GIT_OPTIONAL_LOCKS: "0",
  // A note may be called `:(top)a*.md`.
  GIT_LITERAL_PATHSPECS: "1",
};

// What simple-git refuses to pass on.
const GUARDED = /^(?:git_.*|editor|visual|pager|prefix|ssh_askpass)$/i;

function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const passed = Object.entries(process.env).filter(
    (entry): entry is [string, string] =>
      entry[1] !== undefined && (!GUARDED.test(entry[0]) || KEPT.includes(entry[0])),
  );
  return { ...Object.fromEntries(passed), ...FIXED, ...extra };
}
