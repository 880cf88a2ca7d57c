import type { DerivedCache } from "../ports/derived-cache.ts";
import type { LanguageModel } from "../ports/language-model.ts";
import type { SimilarityProfile } from "../similarity/profile.ts";
import type { ConflictRules } from "../text/conflicts/create-conflict-rules.ts";

/** What agents judge by, besides view and settings. */
export interface AgentDeps {
  readonly rules: ConflictRules;
  /** Of the embedder that made the view's vectors. */
  readonly profile: SimilarityProfile;
  /** Absent where none is configured or wanted: what it would judge then waits for a person. */
  readonly model?: LanguageModel;
  /** Where results are kept for the next run, and what they depend on besides what their keys say: this code. Absent: nothing is kept. */
  readonly kept?: { readonly cache: DerivedCache; readonly basis: string };
}
