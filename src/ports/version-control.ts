/** The state in which a repository is found before committing. */
export type RepositoryState =
  | { readonly kind: "none" }
  | { readonly kind: "ready" }
  /** Merge, rebase, detached HEAD, unmerged paths …: notes are written, the commit waits. */
  | { readonly kind: "occupied"; readonly reason: string };

export type VersionCommitResult =
  | { readonly kind: "committed"; readonly commit: string; readonly ignored: readonly string[] }
  | { readonly kind: "nothing"; readonly ignored: readonly string[] };

export interface VersionCommit {
  /** Relative to the vault. Exactly these are committed; what else is staged stays staged. */
  readonly paths: readonly string[];
  readonly message: string;
  /** Written as the trailer `Slowwave-Run: <runId>`. */
  readonly runId: string;
}

/** Version control of a vault. Failures are `SlowwaveError("git")`. Never resets, never removes a lock, never forces. */
export interface VersionControl {
  state(): Promise<RepositoryState>;
  /** True where a commit with this run's trailer is in the current branch's history. */
  hasRun(runId: string): Promise<boolean>;
  commit(commit: VersionCommit): Promise<VersionCommitResult>;
  /** Sends the branch to its remote. Present only where pushing is configured. */
  push?(): Promise<void>;
}
