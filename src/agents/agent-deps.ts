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
}
