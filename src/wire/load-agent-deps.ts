import { readAsset } from "../adapters/bundled-assets/read-asset.ts";
import type { StaticEmbedder } from "../adapters/static-embedder/load-static-embedder.ts";
import type { AgentDeps } from "../agents/agent-deps.ts";
import type { Config } from "../config/config.ts";
import { profileFileOf, profileNameOf, readProfileFile } from "../config/profile-file.ts";
import { SlowwaveError } from "../model/errors.ts";
import type { Embedder } from "../ports/embedder.ts";
import type { SimilarityProfile } from "../similarity/profile.ts";

/** The rules compare words by the built-in vectors, whichever embedder compares the texts: that is what they were measured with. */
export async function loadAgentDeps(
  config: ProfileChoice,
  { builtIn, embedder }: { readonly builtIn: StaticEmbedder; readonly embedder: Embedder },
): Promise<AgentDeps> {
  const antonyms = await readAsset("antonyms.json");
  if (!isPairList(antonyms)) {
    throw new SlowwaveError("config", "assets/antonyms.json: expected a list of word pairs", {
      hint: "Install the package again.",
    });
  }
  const { createAntonymLexicon } = await import("../text/conflicts/antonym-lexicon.ts");
  const { createConflictRules } = await import("../text/conflicts/create-conflict-rules.ts");
  const { dot } = await import("../similarity/vectors.ts");
  const rules = createConflictRules({
    antonyms: createAntonymLexicon(antonyms),
    spanSimilarity: (a, b) => dot(builtIn.encode(a), builtIn.encode(b)),
  });
  return { rules, profile: await loadProfile(config, embedder.id) };
}

function isPairList(value: unknown): value is readonly (readonly [string, string])[] {
  return (
    Array.isArray(value) &&
    value.every(
      (pair) =>
        Array.isArray(pair) && pair.length === 2 && pair.every((word) => typeof word === "string"),
    )
  );
}

type ProfileChoice = Pick<Config, "similarityProfile" | "profileFolder"> & {
  readonly isCalibrating?: boolean;
};

/**
 * The profile that was fitted to labels of one's own, else the one that ships with slowwave. An embedder that nobody has measured gets
 * the cautious profile, which merges little.
 * @throws SlowwaveError `config` where the configured profile is missing, damaged, or another embedder's.
 */
async function loadProfile(config: ProfileChoice, embedderId: string): Promise<SimilarityProfile> {
  const { parseProfile, unfittedProfile } = await import("../similarity/profile.ts");
  const file = profileFileOf(config, embedderId);
  const own = file === undefined ? undefined : await readProfileFile(file, parseProfile);
  if (own?.embedder === embedderId) return own;
  if (own !== undefined && !config.isCalibrating) {
    throw new SlowwaveError(
      "config",
      `the similarity profile ${file} was fitted to ${own.embedder}, and ${embedderId} is configured`,
      { hint: "Fit one to it with `slowwave calibrate`, or take `similarityProfile` away." },
    );
  }
  if (config.similarityProfile !== undefined && !config.isCalibrating) {
    throw new SlowwaveError("config", `${file}: no such similarity profile`, {
      hint: "`slowwave calibrate --write` makes it.",
    });
  }
  const stored = await readAsset(`profiles/${profileNameOf(embedderId)}`);
  return stored === undefined ? unfittedProfile(embedderId) : parseProfile(stored);
}
