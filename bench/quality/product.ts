import { readAsset } from "../../src/adapters/bundled-assets/read-asset.ts";
import {
  loadStaticEmbedder,
  type StaticEmbedder,
} from "../../src/adapters/static-embedder/load-static-embedder.ts";
import type { AgentDeps } from "../../src/agents/agent-deps.ts";
import { type Settings, settingsSchema } from "../../src/model/settings.ts";
import { parseProfile } from "../../src/similarity/profile.ts";
import { dot } from "../../src/similarity/vectors.ts";
import { createAntonymLexicon } from "../../src/text/conflicts/antonym-lexicon.ts";
import { createConflictRules } from "../../src/text/conflicts/create-conflict-rules.ts";

/** What a run without configuration works with. */
export interface Product {
  readonly embedder: StaticEmbedder;
  readonly deps: AgentDeps;
  readonly settings: Settings;
}

export async function loadProduct(): Promise<Product> {
  const embedder = await loadStaticEmbedder();
  // The asset is a list of pairs of words, checked by a test of its own.
  const antonyms = (await readAsset("antonyms.json")) as readonly (readonly [string, string])[];
  const rules = createConflictRules({
    antonyms: createAntonymLexicon(antonyms),
    spanSimilarity: (a, b) => dot(embedder.encode(a), embedder.encode(b)),
  });
  const profile = parseProfile(await readAsset(`profiles/${embedder.id}.json`));
  return { embedder, deps: { rules, profile }, settings: settingsSchema.parse({}) };
}
