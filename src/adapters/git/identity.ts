import type { Git } from "./repository-state.ts";

export interface Identity {
  readonly name: string;
  readonly email: string;
}

const BOT: Identity = { name: "slowwave", email: "slowwave@localhost" };

/** What makes a git command commit as `identity`, or else as whom git is configured for, or else as ours. */
export async function identityOptions(
  git: Git,
  identity: Identity | undefined,
): Promise<{
  readonly config?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}> {
  if (identity !== undefined) {
    const { name, email } = identity;
    // The environment, since author.* and committer.* of the configuration outrank user.*.
    return {
      environment: {
        GIT_AUTHOR_NAME: name,
        GIT_AUTHOR_EMAIL: email,
        GIT_COMMITTER_NAME: name,
        GIT_COMMITTER_EMAIL: email,
      },
    };
  }
  // Without a configured name git makes one up from the machine's, or refuses.
  const config: string[] = [];
  if (!(await git(["config", "--get", "user.name"])).ok) config.push(`user.name=${BOT.name}`);
  if (!(await git(["config", "--get", "user.email"])).ok) config.push(`user.email=${BOT.email}`);
  return { config };
}
