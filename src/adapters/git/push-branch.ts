import { SlowwaveError } from "../../model/errors.ts";
import { gitError } from "./git-error.ts";
import type { Git } from "./repository-state.ts";

/**
 * Sends the branch that is checked out to where git would: the remote and branch that it tracks, else the branch of its name on `origin`.
 * Never forces and never merges: where the remote has commits that are not here, a person has to pull.
 * @throws SlowwaveError `git`
 */
export async function pushBranch(git: Git): Promise<void> {
  const head = await git(["symbolic-ref", "--quiet", "--short", "HEAD"]);
  if (!head.ok) throw gitError("read the branch", head);
  const branch = head.stdout.trim();
  const remote = await remoteOf(git, branch);
  const target = await targetOf(git, { branch, remote });
  // With a refspec of our own, no `+` of the configuration can force.
  const answer = await git([...PUSH, remote, `HEAD:${target}`], { config: await quietSsh(git) });
  if (!answer.ok) throw gitError(`push to ${remote}`, answer);
}

const PUSH = ["push", "--porcelain", "--no-follow-tags", "--no-signed", "--recurse-submodules=no"];

async function remoteOf(git: Git, branch: string): Promise<string> {
  const chosen =
    (await settingOf(git, `branch.${branch}.pushRemote`)) ??
    (await settingOf(git, "remote.pushDefault")) ??
    (await settingOf(git, `branch.${branch}.remote`)) ??
    "origin";
  if ((await settingOf(git, `remote.${chosen}.url`)) !== undefined) return chosen;
  throw new SlowwaveError("git", `git: cannot push ${branch}: there is no remote ${chosen}`, {
    hint: "Add it with git remote add in the vault, or set git.push to false.",
  });
}

async function targetOf(
  git: Git,
  { branch, remote }: { readonly branch: string; readonly remote: string },
): Promise<string> {
  const isTracked = (await settingOf(git, `branch.${branch}.remote`)) === remote;
  const tracked = isTracked ? await settingOf(git, `branch.${branch}.merge`) : undefined;
  return tracked ?? `refs/heads/${branch}`;
}

/** ssh asks on the terminal itself, whatever its input is; a user who configured another ssh knows what it does. */
async function quietSsh(git: Git): Promise<readonly string[]> {
  const own = await settingOf(git, "core.sshCommand");
  return own === undefined ? ["core.sshCommand=ssh -oBatchMode=yes"] : [];
}

async function settingOf(git: Git, key: string): Promise<string | undefined> {
  const answer = await git(["config", "--get", key]);
  const value = answer.ok ? answer.stdout.trim() : "";
  return value === "" ? undefined : value;
}
