import { SlowwaveError } from "../../model/errors.ts";
import { hashOf } from "../../model/hash.ts";
import { notePathSegments } from "../../model/note-path.ts";
import type {
  RepositoryState,
  VersionCommit,
  VersionControl,
} from "../../ports/version-control.ts";

export interface MemoryCommit {
  readonly runId: string;
  readonly message: string;
  readonly paths: readonly string[];
}

/** In-memory twin of version control. `commits` grows with each commit; `notes` are the vault's, as a memory vault keeps them. */
export function createMemoryVersionControl({
  notes,
  commits = [],
  state = { kind: "ready" },
  isIgnored = () => false,
}: {
  readonly notes: ReadonlyMap<string, string>;
  readonly commits?: MemoryCommit[];
  readonly state?: RepositoryState;
  readonly isIgnored?: (path: string) => boolean;
}): VersionControl {
  const committed = new Map<string, string>();
  return {
    state: async () => state,
    hasRun: async (runId) => commits.some((commit) => commit.runId === runId),
    commit: async (commit: VersionCommit) => {
      check(commit, state);
      const { paths, message, runId } = commit;
      const differing = paths.filter((path) => notes.get(path) !== committed.get(path));
      const ignored = differing.filter(isIgnored).filter((path) => notes.has(path));
      const changed = differing.filter((path) => !isIgnored(path));
      if (changed.length === 0) return { kind: "nothing", ignored };
      for (const path of changed) record(committed, path, notes.get(path));
      commits.push({ runId, message, paths: changed });
      return { kind: "committed", commit: hashOf([commits.length, runId, changed], 40), ignored };
    },
  };
}

function check({ paths, runId }: VersionCommit, state: RepositoryState): void {
  if (state.kind !== "ready")
    throw new SlowwaveError("git", `git: the repository is ${state.kind}`);
  if (!/^\S+$/.test(runId)) throw new SlowwaveError("git", "git: expected a run id without spaces");
  for (const path of paths) notePathSegments(path);
}

function record(committed: Map<string, string>, path: string, text: string | undefined): void {
  if (text === undefined) committed.delete(path);
  else committed.set(path, text);
}
