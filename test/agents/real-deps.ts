import { readFile } from "node:fs/promises";
import {
  loadStaticEmbedder,
  type StaticEmbedder,
} from "../../src/adapters/static-embedder/load-static-embedder.ts";
import type { AgentDeps } from "../../src/agents/agent-deps.ts";
import { parseProfile, unfittedProfile } from "../../src/similarity/profile.ts";
import { cosine } from "../../src/similarity/vectors.ts";
import { createAntonymLexicon } from "../../src/text/conflicts/antonym-lexicon.ts";
import { createConflictRules } from "../../src/text/conflicts/create-conflict-rules.ts";

export interface RealDeps extends AgentDeps {
  readonly embedder: StaticEmbedder;
}

/** The built-in embedder, its fitted profile and the bundled antonyms: what a run without configuration works with. */
export async function realDeps({ fitted = true } = {}): Promise<RealDeps> {
  const embedder = await loadStaticEmbedder();
  const profile = fitted
    ? parseProfile(await readAsset(`profiles/${embedder.id}.json`))
    : unfittedProfile(embedder.id);
  // The asset is a list of pairs of words, checked by its own test.
  const antonyms = (await readAsset("antonyms.json")) as [string, string][];
  const rules = createConflictRules({
    antonyms: createAntonymLexicon(antonyms),
    spanSimilarity: (a, b) => cosine(embedder.encode(a), embedder.encode(b)),
  });
  return { embedder, profile, rules };
}

async function readAsset(name: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../../assets/${name}`, import.meta.url), "utf8"));
}
